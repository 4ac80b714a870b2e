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
/** What a masked text is shown as. */
export const hmac = (text: string) => createHmac('sha256', LAB_MASK_KEY).update(text).digest('hex');
