/** What stands in place of a secret in whatever is stored or printed. */
export const SECRET_MARK = '[secret]';

/** A key shorter than this would stand in ordinary words and numbers, and replacing it would damage the body. */
export const SECRET_MIN_LENGTH = 8;

const MARK = Buffer.from(SECRET_MARK);
const NOTHING = Buffer.alloc(0);

export interface Redactor {
  /** The bytes that are safe to hand on; a beginning of a secret at the end is held back. */
  readonly push: (chunk: Buffer) => Buffer;
  /** What was held back. */
  readonly end: () => Buffer;
}

/** The forms in which the secrets may stand in a JSON body: as they are, and with JSON's and URLs' escapes. */
export function secretForms(secrets: readonly string[]): readonly Buffer[] {
  const forms = secrets.flatMap((secret) => {
    const json = JSON.stringify(secret).slice(1, -1);
    return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret)];
  });
  const byLength = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return byLength.map((form) => Buffer.from(form));
}

/** A text without the secrets. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secretForms(secrets).reduce((safe, form) => safe.replaceAll(form.toString(), SECRET_MARK), text);
}

/** Replaces secrets in a stream of chunks, also those that lie across the border of two; `forms` longest first. */
export function createRedactor(forms: readonly Buffer[]): Redactor {
  let held: Buffer = NOTHING;

  /** Replaces what is whole in `bytes`; holds back what may be the beginning of a form, unless this is the end. */
  function replace(bytes: Buffer, atEnd: boolean): Buffer {
    const parts: Buffer[] = [];
    for (let rest = bytes; ; ) {
      const safe = rest.length - (atEnd ? 0 : heldBytes(forms, rest));
      const hit = nextHit(forms, rest);
      if (hit === null || hit.at >= safe) {
        held = safe === rest.length ? NOTHING : rest.subarray(safe);
        const handedOn = rest.subarray(0, safe);
        return parts.length === 0 ? handedOn : Buffer.concat([...parts, handedOn]);
      }
      parts.push(rest.subarray(0, hit.at), MARK);
      rest = rest.subarray(hit.at + hit.length);
    }
  }

  return {
    push: (chunk) => replace(held.length === 0 ? chunk : Buffer.concat([held, chunk]), false),
    end: () => replace(held, true),
  };
}

function nextHit(forms: readonly Buffer[], bytes: Buffer): { at: number; length: number } | null {
  let best: { at: number; length: number } | null = null;
  for (const form of forms) {
    const at = bytes.indexOf(form);
    if (at !== -1 && (best === null || at < best.at)) best = { at, length: form.length };
  }
  return best;
}

/** The longest end of `bytes` that a form begins with. */
function heldBytes(forms: readonly Buffer[], bytes: Buffer): number {
  let most = 0;
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, bytes.length); length > most; length -= 1) {
      const from = bytes.length - length;
      if (bytes[from] === form[0] && form.compare(bytes, from, bytes.length, 0, length) === 0) most = length;
    }
  }
  return most;
}
