import type { Source } from '../sources/source.ts';
import { API_CODES, type ApiCode } from './codes.ts';

/** A try without a usable answer. It never leaves lib/api; its message has no secret, URL path or query. */
export class CallFault extends Error {
  readonly code: ApiCode;
  readonly status: number | null;
  /** A text that differs between two bodies that are not JSON. */
  readonly answer: string | undefined;

  constructor(code: ApiCode, message: string, status: number | null = null, answer?: string) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
    this.answer = answer;
  }
}

type Translation = readonly [pattern: RegExp, code: ApiCode, message: string];

/** Codes of Node, undici and zlib; the first pattern that fits decides. */
const TRANSLATIONS: readonly Translation[] = [
  [/^ENOTFOUND$/, 'CONNECTION_FAILED', 'no host has this name (ENOTFOUND)'],
  [/^ECONNREFUSED$/, 'CONNECTION_FAILED', 'nothing listens on this port (ECONNREFUSED)'],
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'CONNECTION_FAILED', 'no connection in time'],
  [
    /^(ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/,
    'TLS_WRONG_HOST',
    'the certificate was issued for another host name',
  ],
  [/^CERT_HAS_EXPIRED$/, 'TLS_EXPIRED', 'the certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'TLS_EXPIRED', 'the certificate is not valid yet'],
  [
    /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS_CERT|INVALID_CA|INVALID_PURPOSE)/,
    'TLS_REFUSED',
    'nobody that this machine trusts has signed the certificate',
  ],
  [
    /^(Z_DATA_ERROR|ERR_BROTLI_DECODER_ERROR_FORMAT|ERR__ERROR_FORMAT|ZSTD_error_prefix_unknown)/,
    'BODY_NOT_TEXT',
    'the body is not compressed as its content-encoding says',
  ],
  [
    /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_ZSTD|ZSTD_)/,
    'BODY_TRUNCATED',
    'the compressed body is damaged or cut short',
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST|EPROTO)$/,
    'TLS_NOT_SPOKEN',
    'the server does not speak TLS on this port',
  ],
  [/^(EMFILE|ENFILE)$/, 'SYSTEM_REFUSED', 'the process has as many files and connections open as it may'],
  [
    /^(ENOSPC|ENOENT|EACCES|EROFS|EDQUOT|EIO|EFBIG)$/,
    'SPOOL_FAILED',
    'the temporary file could not be written',
  ],
];

/**
 * The fault behind an error of a call or of reading its answer; `inBody`: the status, if it had come. The
 * error's own message is dropped, because it may hold headers or values.
 */
export function faultOf(error: unknown, inBody: number | null): CallFault {
  if (error instanceof CallFault) return error;
  const code = codeOf(error);
  const found = TRANSLATIONS.find(([pattern]) => pattern.test(code));
  if (found !== undefined) return new CallFault(found[1], `${found[2]}${namesIn(error)}`, inBody);
  if (inBody === null)
    return new CallFault('CONNECTION_FAILED', `the connection failed${code === '' ? '' : ` (${code})`}`);
  // Node, undici and zlib set a code; JavaScript itself threw an error without one.
  if (code === '')
    return new CallFault('ANSWER_UNREADABLE', `the answer cannot be read (${kindOf(error)})`, inBody);
  return new CallFault('BODY_TRUNCATED', `the connection broke inside the body (${code})`, inBody);
}

/** The host names in the certificate of an error, such as `: DNS:signage.example.com`. */
function namesIn(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const certificate = Reflect.get(error, 'cert');
  const names = typeof certificate === 'object' && certificate !== null && certificate.subjectaltname;
  return typeof names === 'string' && /^[\w.*:, -]{1,200}$/.test(names) ? `: ${names}` : '';
}

/** The fault with the address in its message, where the address may be wrong. */
export function toldWhere(
  fault: CallFault,
  { baseUrl, caFile }: Pick<Source, 'baseUrl' | 'caFile'>,
): CallFault {
  const { code, status, answer } = fault;
  const message =
    code === 'TLS_REFUSED' && caFile !== undefined
      ? `neither the CA in ${caFile} nor one that this machine trusts has signed the certificate`
      : fault.message;
  const { namesAddress } = API_CODES[code];
  if (namesAddress !== true) return fault;
  return new CallFault(code, `at ${baseUrl} ${message}`, status, answer);
}

/** `TypeError in factsOf`, for whoever fixes it. It has no word of the message, which may hold a value. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frame = error.stack?.split('\n    at ')[1]?.split(' (')[0] ?? '';
  return /^[\w.]{1,60}$/.test(frame) ? `${error.name} in ${frame}` : error.name;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // The answer breaks HTTP, for example in a chunk's size; not every such error has a code.
  if (error instanceof Error && error.name === 'HTTPParserError')
    return String(Reflect.get(error, 'code') ?? error.name);
  const code = Reflect.get(error, 'code');
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code;
  const cause = Reflect.get(error, 'cause');
  if (typeof cause === 'object' && cause !== null) return codeOf(cause) || String(code ?? '');
  return typeof code === 'string' ? code : '';
}
