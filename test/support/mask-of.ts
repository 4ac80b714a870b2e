import { createHmac } from 'node:crypto';
import { LAB_MASK_KEY } from './fixture-lab.ts';

const hashOf = (text: string, key: string) => createHmac('sha256', key).update(text).digest('hex');
/** What a text of a column, TABLE.COLUMN, is shown as where it is masked. */
export const maskOf = (place: string, text: string, key = LAB_MASK_KEY) =>
  `${hashOf('the id of a key of masks', key).slice(0, 8)}:${hashOf(`${place}\u001f${text}`, key)}`;
