import type { Cure } from '../../sources/question.ts';
import { curesOf, ListingError } from '../codes.ts';
import type { NoPage, Page, Reading } from './reading.ts';
import type { Step } from './step.ts';
import { paramsOfToken, withParam } from './style-of-signals.ts';

/**
 * The page of a token. Where only the token's name suggests its parameter, the usual names are tried until
 * one returns other records. Throws ListingError PAGING_UNPROVEN where none does.
 */
export async function tokenPage(
  reading: Reading,
  { page, step }: { readonly page: Page; readonly step: Extract<Step, { kind: 'go' }> },
): Promise<Page | NoPage> {
  const { asked, reader, style, seen } = reading;
  const { name: resource } = asked.resource;
  const { token } = page.signals;
  const known = asked.siblings.cursorParam();
  if (known !== null && asked.forced === null) reading.style = { ...style, param: known };
  if (token === null) return await reader.ask(step.target);
  const isProven =
    reading.page > 0 || known !== null || asked.forced !== null || asked.contract?.pageSize !== undefined;
  if (isProven) return await reader.ask(withParam(page.target, reading.style.param, token.value));
  const params = paramsOfToken(page.signals);
  for (const param of params) {
    const answer = await reader.ask(withParam(page.target, param, token.value));
    if (answer.kind === 'none') continue;
    const sketch = seen.sketch(answer.records());
    const isNone = sketch.records === 0;
    if (isNone ? await isRead(reading, { page, param, value: token.value }) : !seen.isRepeat(sketch)) {
      reading.style = { ...style, param };
      return answer;
    }
    answer.close();
  }
  const [first, ...others] = curesOf('PAGING_UNPROVEN', resource);
  const choices = params.map((param) => `cursor:${param}@${token.place}`);
  const cures: readonly Cure[] = first === undefined ? others : [{ ...first, choices }, ...others];
  const says = `${token.name} leads to a next page, and none of ${params.join(', ')} returns it`;
  throw new ListingError('PAGING_UNPROVEN', says, { resource, cures });
}

/** True where the server read the parameter: for an unknown one it returns the first page again (Litestar). */
async function isRead(
  { reader, seen }: Reading,
  { page, param, value }: { readonly page: Page; readonly param: string; readonly value: string },
): Promise<boolean> {
  const control = await reader.ask(withParam(page.target, `${param}_unread`, value));
  if (control.kind === 'none') return false;
  const { records } = seen.sketch(control.records());
  control.close();
  return records > 0;
}
