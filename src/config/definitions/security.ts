/** Settings of authorisation, principals and delegation tokens. */
import { className, long, password, string } from '../definition.js'
import { atLeast } from '../validators.js'
import { NO_EFFECT, REFUSED } from './effects.js'

export const securityDefinitions = {
  'authorizer.class.name': string({
    default: '',
    importance: 'low',
    update: 'read-only',
    doc: 'Class that decides what a client may do.',
    effect: REFUSED.authorizer,
  }),
  'principal.builder.class': className({
    default: 'org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder',
    importance: 'medium',
    update: 'per-broker',
    doc: 'Java class that derives a principal from a connection.',
    effect: NO_EFFECT.security,
  }),
  'security.providers': string({
    default: null,
    importance: 'low',
    update: 'read-only',
    doc: 'Java classes of security providers.',
    effect: NO_EFFECT.security,
  }),
  'delegation.token.expiry.check.interval.ms': long({
    default: 3600000n,
    valid: atLeast(1),
    importance: 'low',
    update: 'read-only',
    doc: 'How often expired delegation tokens are removed.',
    effect: NO_EFFECT.security,
  }),
  'delegation.token.expiry.time.ms': long({
    default: 86400000n,
    valid: atLeast(1),
    importance: 'medium',
    update: 'read-only',
    doc: 'Time after which a delegation token must be renewed.',
    effect: NO_EFFECT.security,
  }),
  'delegation.token.max.lifetime.ms': long({
    default: 604800000n,
    valid: atLeast(1),
    importance: 'medium',
    update: 'read-only',
    doc: 'Longest life of a delegation token.',
    effect: NO_EFFECT.security,
  }),
  'delegation.token.secret.key': password({
    default: null,
    importance: 'medium',
    update: 'read-only',
    doc: 'Secret that signs delegation tokens.',
    effect: NO_EFFECT.security,
  }),
}
