import type { Socket } from 'node:net';

/** The events of a socket that speaks HTTP/1.1. */
export interface SocketNews {
  /** True from the connection's beginning, and from an answer's end, until the next answer begins. */
  readonly isBetween: () => boolean;
  /** Bytes came that do not belong to an answer of a call. */
  readonly onUnasked: () => void;
  /** `isInformed`: undici closed it for an informational answer in one piece with another. */
  readonly onClose: (isInformed: boolean) => void;
}

/** Of an informational answer: `HTTP/1.1 1`. Fewer bytes may become one. */
const PREFIXES = ['HTTP/1.1 1', 'HTTP/1.0 1'];
const PREFIX_BYTES = 10;
const HEAD_END = '\r\n\r\n';
/** A longer head is not informational, and undici's own limit ends the call. */
const HEAD_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Watches the bytes that undici reads from a socket. Between two answers it removes informational ones, such
 * as `100 Continue`. Undici takes them for a fault, and they answer nothing.
 */
export function watchSocket(socket: Socket, { isBetween, onUnasked, onClose }: SocketNews): void {
  const read = socket.read.bind(socket);
  let held: Buffer = NOTHING;
  let latest: Buffer = NOTHING;
  let isInformed = false;

  function next(size?: number): Buffer | null {
    const chunk: Buffer | null = read(size);
    if (chunk === null) return null;
    latest = chunk;
    if (held.length === 0 && (!isBetween() || !mayInform(chunk))) return chunk;
    const rest = withoutInforming(Buffer.concat([held, chunk]));
    const isWhole = rest.length === 0 || !mayInform(rest) || rest.length > HEAD_BYTES;
    held = isWhole ? NOTHING : rest;
    return isWhole && rest.length > 0 ? rest : next(size);
  }

  socket.read = next;
  socket.on('error', (error) => {
    // Undici says this about bytes that come without a call. Bytes after an answer come in one piece with it.
    const isUnasked = error.message === 'bad response' || (error.name === 'HTTPParserError' && isBetween());
    isInformed = isUnasked && endsInforming(latest);
    if (isUnasked && !isInformed) onUnasked();
  });
  socket.on('close', () => onClose(isInformed));
}

function mayInform(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, PREFIX_BYTES);
  return PREFIXES.some((prefix) => prefix.startsWith(start));
}

/** The bytes after all whole informational answers at their beginning. */
function withoutInforming(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= PREFIX_BYTES && mayInform(rest)) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** True where the bytes end with an informational answer, or its beginning. */
function endsInforming(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', Math.max(0, bytes.length - HEAD_BYTES));
  const last = text.slice(Math.max(0, text.lastIndexOf('HTTP/1.')));
  const end = last.indexOf(HEAD_END);
  return PREFIXES.includes(last.slice(0, PREFIX_BYTES)) && (end < 0 || end === last.length - HEAD_END.length);
}
