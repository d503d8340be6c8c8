/**
 * Emits the decoder of one message version: a function per struct and per list, each a run of plain
 * reads.
 */
import type { EmittedSource } from './compile.js'
import { defaultExpression } from './emit-default.js'
import type { FieldLayout, StructLayout, TypeLayout } from './layout.js'

/** Source that returns `(reader) => value`. */
export function emitDecoder(layout: StructLayout): EmittedSource {
  const emitter = new DecodeEmitter()
  const entry = emitter.structFunction(layout)
  return { source: `${emitter.source()}\nreturn ${entry}`, refs: [] }
}

class DecodeEmitter {
  readonly #functions: string[] = []
  readonly #structs = new Map<StructLayout, string>()

  source(): string {
    return this.#functions.join('\n')
  }

  /** The name of the function that reads the struct; emits it when first asked. */
  structFunction(layout: StructLayout): string {
    const known = this.#structs.get(layout)
    if (known !== undefined) return known
    const name = `read${layout.name}${this.#structs.size}`
    this.#structs.set(layout, name)
    const lines = layout.fields.map(field => this.#declaration(field, layout.flexible))
    if (layout.flexible) lines.push(...this.#taggedFields(layout))
    const members = layout.fields.map(field => `${field.name}: $${field.name}`).join(', ')
    lines.push(`return { ${members} }`)
    this.#functions.push(`function ${name}(r) {\n  ${lines.join('\n  ')}\n}`)
    return name
  }

  #declaration(field: FieldLayout, compact: boolean): string {
    const read = field.present && !field.tagged
    const value = read ? this.#readField(field, compact) : defaultExpression(field.field)
    return `${field.tagged ? 'let' : 'const'} $${field.name} = ${value}`
  }

  #taggedFields(layout: StructLayout): string[] {
    const owner = JSON.stringify(layout.name)
    const cases = layout.tagged.map(
      field =>
        `      case ${field.field.tag}: $${field.name} = ${this.#readField(field, true)}; ` +
        `r.expectOffset(end, ${JSON.stringify(field.path)}); break`,
    )
    return [
      `for (let left = r.taggedFieldCount(${owner}); left > 0; left--) {`,
      `  const tag = r.uvarint(${owner})`,
      `  const end = r.taggedFieldEnd(${owner})`,
      `  switch (tag) {`,
      ...cases,
      `      default: r.skipTo(end)`,
      `  }`,
      `}`,
    ]
  }

  #readField(field: FieldLayout, compact: boolean): string {
    const { type, nullable } = field
    if (type.kind !== 'struct' || !nullable) {
      return this.#readValue(type, compact, nullable, field.path)
    }
    const present = `r.structPresent(${field.tagged}, ${JSON.stringify(field.path)})`
    return `${present} ? ${this.structFunction(type.struct)}(r) : null`
  }

  #readValue(type: TypeLayout, compact: boolean, nullable: boolean, path: string): string {
    const quoted = JSON.stringify(path)
    switch (type.kind) {
      case 'struct':
        return `${this.structFunction(type.struct)}(r)`
      case 'array':
        return `${this.#listFunction(type, compact, nullable, path)}(r)`
      case 'string':
        return `r.${nullable ? 'nullableString' : 'string'}(${compact}, ${quoted})`
      case 'bytes':
      case 'records':
        return `r.${nullable ? 'nullableBytes' : 'bytes'}(${compact}, ${quoted})`
      default:
        return `r.${type.kind}(${quoted})`
    }
  }

  #listFunction(
    type: TypeLayout & { readonly kind: 'array' },
    compact: boolean,
    nullable: boolean,
    path: string,
  ): string {
    const element = this.#readValue(type.element, compact, false, path)
    const method = nullable ? 'nullableArrayLength' : 'arrayLength'
    const limits = `${type.elementBytesMin}, ${type.elementCost}, ${JSON.stringify(path)}`
    const name = `readList${this.#functions.length}`
    this.#functions.push(
      [
        `function ${name}(r) {`,
        `  const count = r.${method}(${compact}, ${limits})`,
        ...(nullable ? ['  if (count < 0) return null'] : []),
        `  const list = []`,
        `  for (let i = 0; i < count; i++) list.push(${element})`,
        `  return list`,
        `}`,
      ].join('\n'),
    )
    return name
  }
}
