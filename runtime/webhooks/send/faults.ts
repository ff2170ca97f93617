// Why an attempt got no answer, as an outcome class: the table of error codes.

import type { Outcome } from '../../rules/delivery.js';

export type FaultClass = Exclude<Outcome['class'], 'success' | 'status' | 'no_key'>;

/** A failure whose class is known where it happens; undici passes it on unchanged. */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(
    readonly outcome: FaultClass,
    options?: ErrorOptions,
  ) {
    super(outcome, options);
  }
}

/** Our own lack of handles or memory, or our own end: never the receiver's fault (S19). */
const OWN: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'ENETDOWN',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** Codes that mean the same wherever they appear. */
const CLASSES: ReadonlyMap<string, FaultClass> = new Map([
  ...[...OWN].map((code) => [code, 'internal'] as const),
  ['ETIMEDOUT', 'timeout'],
]);

/** What a code means once the request is under way; any other code means that the answer is not valid HTTP. */
const EXCHANGE: ReadonlyMap<string, FaultClass> = new Map([
  ['ECONNRESET', 'connect'],
  ['EPIPE', 'connect'],
  ['UND_ERR_SOCKET', 'connect'],
]);

/** c-ares: no name server answers at all, or no memory; neither is the receiver's fault (S19). */
const OWN_DNS: ReadonlySet<string> = new Set([...OWN, 'ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION', 'ENOTINITIALIZED']);

/** @returns the fault of a failed name lookup */
export function dnsFault(cause: unknown): Fault {
  return new Fault(codesOf(cause).some((code) => OWN_DNS.has(code)) ? 'internal' : 'dns', { cause });
}

/** @param phase what was being done: opening the connection or shaking hands for TLS */
export function dialFault(cause: unknown, phase: 'connect' | 'tls'): Fault {
  return cause instanceof Fault ? cause : new Fault(common(cause) ?? phase, { cause });
}

/**
 * @returns the outcome of a request that ended without a complete head. Unknown errors count as the receiver's fault:
 *   otherwise a receiver that provokes one would be called again immediately, forever.
 */
export function faultOutcome(error: unknown): Outcome {
  if (error instanceof Fault) return { class: error.outcome };
  const [code = ''] = codesOf(error);
  // TLS 1.3 reports a refused handshake only when the first bytes are read.
  const late = code.startsWith('ERR_SSL_') ? 'tls' : 'protocol';
  return { class: common(error) ?? EXCHANGE.get(code) ?? late };
}

/** @returns whether a connection that was open broke before an answer came */
export function isLost(error: unknown): boolean {
  return !(error instanceof Fault) && faultOutcome(error).class === 'connect';
}

function common(error: unknown): FaultClass | undefined {
  return codesOf(error)
    .map((code) => CLASSES.get(code))
    .find((known) => known !== undefined);
}

/** The error's code and those of the errors it gathers (one per address that was tried). */
function codesOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const codes = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return 'errors' in error && Array.isArray(error.errors) ? [...codes, ...error.errors.flatMap(codesOf)] : codes;
}
