import type { Cure } from '../../sources/question.ts';
import { curesOf } from '../codes.ts';
import { ListingError } from '../listing-error.ts';
import type { NoPage, Page } from './page-reader.ts';
import type { Reading } from './reading.ts';
import type { Step } from './step.ts';
import { paramsOfToken } from './style-of-signals.ts';
import { withParam } from './targets.ts';

/**
 * The page behind a token. Where only the token's name suggests its parameter, the usual names are tried, until one gives other records.
 * Throws ListingError PAGING_UNPROVEN where none does.
 */
export async function tokenPage(
  reading: Reading,
  { page, step }: { readonly page: Page; readonly step: Extract<Step, { kind: 'go' }> },
): Promise<Page | NoPage> {
  const { asked, reader, style, seen } = reading;
  const { token } = page.signals;
  const known = asked.siblings.cursorParam();
  if (known !== null && asked.forced === null) reading.style = { ...style, param: known };
  const isProven =
    reading.page > 0 || known !== null || asked.forced !== null || asked.contract?.pageSize !== undefined;
  if (isProven || token === null)
    return await reader.ask(
      token === null ? step.target : withParam(page.target, reading.style.param, token.value),
    );
  const params = paramsOfToken(page.signals);
  const value = token.value;
  let refused: NoPage | null = null;
  for (const param of params) {
    const answer = await reader.ask(withParam(page.target, param, value));
    if (answer.kind === 'none') {
      refused ??= answer;
      continue;
    }
    const sketch = seen.sketch(answer.records());
    const isOther = sketch.records > 0 && !seen.compare(sketch).isRepeat;
    if (isOther || (sketch.records === 0 && (await isRead(reading, { page, param, value })))) {
      reading.style = { ...style, param };
      return answer;
    }
    answer.close();
  }
  if (refused !== null && params.length === 1) return refused;
  const says = `${token.name} leads to a next page, and none of ${params.join(', ')} returns it`;
  throw new ListingError('PAGING_UNPROVEN', says, {
    resource: asked.resource.name,
    cures: curesOfToken(asked.resource.name, token.place, params),
  });
}

/** Whether a server that returns no record for a parameter has read it: for one that no server knows it returns the first page again. */
async function isRead(
  { reader, seen }: Reading,
  { page, param, value }: { readonly page: Page; readonly param: string; readonly value: string },
): Promise<boolean> {
  const control = await reader.ask(withParam(page.target, `${param}_unread`, value));
  if (control.kind === 'none') return false;
  const sketch = seen.sketch(control.records());
  control.close();
  return sketch.records > 0;
}

function curesOfToken(resource: string, place: string, params: readonly string[]): readonly Cure[] {
  const [first, ...others] = curesOf('PAGING_UNPROVEN', resource);
  const choices = params.map((param) => `cursor:${param}@${place}`);
  return first === undefined ? others : [{ ...first, choices }, ...others];
}
