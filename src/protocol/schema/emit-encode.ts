/** Emits the encoder of one message version: a function per struct, each a run of plain writes. */
import type { EmittedSource } from './compile.js'
import { defaultExpression } from './emit-default.js'
import type { FieldLayout, StructLayout, TypeLayout } from './layout.js'

/**
 * Source that returns `(writer, value) => void`; `refs` holds the field layouts it checks against.
 */
export function emitEncoder(layout: StructLayout): EmittedSource {
  const emitter = new EncodeEmitter()
  const entry = emitter.structFunction(layout)
  return { source: `${emitter.source()}\nreturn ${entry}`, refs: emitter.refs }
}

class EncodeEmitter {
  readonly refs: FieldLayout[] = []
  readonly #functions: string[] = []
  readonly #structs = new Map<StructLayout, string>()

  source(): string {
    return this.#functions.join('\n')
  }

  /** The name of the function that writes the struct; emits it when first asked. */
  structFunction(layout: StructLayout): string {
    const known = this.#structs.get(layout)
    if (known !== undefined) return known
    const name = `write${layout.name}${this.#structs.size}`
    this.#structs.set(layout, name)
    const lines = layout.fields.flatMap(field => this.#fieldLines(field, layout))
    if (layout.flexible) lines.push(...this.#taggedLines(layout))
    this.#functions.push(`function ${name}(w, v) {\n  ${lines.join('\n  ')}\n}`)
    return name
  }

  #fieldLines(field: FieldLayout, layout: StructLayout): string[] {
    if (!field.present) return this.#absentLines(field, layout.version)
    const value = `const $${field.name} = ${orDefault(field)}`
    return field.tagged ? [value] : [value, ...this.#writeField(field, layout.flexible)]
  }

  #absentLines(field: FieldLayout, version: number): string[] {
    if (field.field.ignorable) return []
    const ref = `refs[${this.refs.push(field) - 1}]`
    const value = `v.${field.name}`
    return [`if (${value} !== undefined) refuseUnlessDroppable(${ref}, ${version}, ${value})`]
  }

  #taggedLines(layout: StructLayout): string[] {
    const set = layout.tagged.map(field => {
      const ref = `refs[${this.refs.push(field) - 1}]`
      return `const set$${field.name} = !isDefault(${ref}.field, $${field.name})`
    })
    const count = layout.tagged.map(field => `set$${field.name}`).join(' + ')
    const writes = layout.tagged.flatMap(field => [
      `if (set$${field.name}) {`,
      `  const start = w.beginTaggedField(${field.field.tag})`,
      ...this.#writeField(field, true).map(line => `  ${line}`),
      `  w.endTaggedField(start)`,
      `}`,
    ])
    return [...set, `w.uvarint(${count === '' ? '0' : count})`, ...writes]
  }

  #writeField(field: FieldLayout, compact: boolean): string[] {
    const value = `$${field.name}`
    const quoted = JSON.stringify(field.path)
    if (!field.nullable) {
      const check = canBeNull(field.type) ? [`if (${value} === null) refuseNull(${quoted})`] : []
      return [...check, ...this.#writeValue(field.type, compact, value, quoted)]
    }
    if (field.type.kind !== 'struct') return this.#writeValue(field.type, compact, value, quoted)
    const presence = field.tagged
      ? `w.uvarint(${value} === null ? 0 : 1)`
      : `w.int8(${value} === null ? -1 : 1, ${quoted})`
    const write = `if (${value} !== null) ${this.structFunction(field.type.struct)}(w, ${value})`
    return [presence, write]
  }

  #writeValue(type: TypeLayout, compact: boolean, value: string, quoted: string): string[] {
    switch (type.kind) {
      case 'struct':
        return [`${this.structFunction(type.struct)}(w, ${value})`]
      case 'array': {
        const element = this.#writeValue(type.element, compact, 'element', quoted)
        return [
          `w.arrayLength(${value}, ${compact}, ${quoted})`,
          `if (${value} !== null) for (const element of ${value}) {`,
          `  if (element === null) refuseNull(${quoted})`,
          ...element.map(line => `  ${line}`),
          `}`,
        ]
      }
      case 'string':
      case 'bytes':
      case 'records':
        return [`w.${type.kind === 'string' ? 'string' : 'bytes'}(${value}, ${compact}, ${quoted})`]
      default:
        return [`w.${type.kind}(${value}, ${quoted})`]
    }
  }
}

function orDefault(field: FieldLayout): string {
  return `v.${field.name} === undefined ? ${defaultExpression(field.field)} : v.${field.name}`
}

function canBeNull(type: TypeLayout): boolean {
  return ['struct', 'array', 'string', 'bytes', 'records'].includes(type.kind)
}
