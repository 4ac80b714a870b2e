import { createHmac } from 'node:crypto';
import { LAB_MASK_KEY, SIGNAGE } from './fixture-lab.ts';

/** Routes of one player with an address and a number. */
export const players = (email: string, phone: string) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Email: email, Contact: { Phone: phone } }]) },
});
/** Settings that mask the one and drop the other. */
export const hide = {
  config: { maskSecret: 'lab/mask' },
  signage: { resources: { players: { mask: ['Email'], drop: ['Contact'] } } },
};
const hashOf = (text: string, key: string) => createHmac('sha256', key).update(text).digest('hex');
/** What a text of a column, TABLE.COLUMN, is shown as where it is masked. */
export const maskOf = (place: string, text: string, key = LAB_MASK_KEY) =>
  `${hashOf('the id of a key of masks', key).slice(0, 8)}:${hashOf(`${place}\u001f${text}`, key)}`;
export const hmac = (text: string) => maskOf('players.email', text);
