import { hash } from '../dice.ts';
import type { JsonObject } from '../json.ts';
import { nowOf, unixSeconds } from './clock.ts';
import { SALT, type WorldSettings } from './settings.ts';

/** The price list, one object. Its fields are invented: no public sample was found. One price changes every day. */
export function pricingRecord(settings: WorldSettings, day: number): JsonObject {
  const changing = 490 + (hash(settings.seed, SALT.price, 0) % 20) + day;
  return {
    currency: 'CHF',
    is_vat_included: false,
    vat_rate: 8.1,
    valid_from: unixSeconds(nowOf(settings.startDate, day)),
    plans: [
      { id: 1, name: 'Starter', periodicity: 'monthly', price: 4.99, slots: 1 },
      { id: 2, name: 'Büro', periodicity: 'yearly', price: 53.9, slots: 5 },
      { id: 3, name: 'Fleet, "XL"', periodicity: 'yearly', price: 1199, slots: null },
    ],
    storage: {
      standard: { price_per_gb: 0.0125, minimum_gb: 50 },
      archive: { price_per_gb: 0.0041, minimum_gb: 500 },
    },
    tiers: [
      { from_gb: 0, to_gb: 1000, price_per_gb: 0.0125 },
      { from_gb: 1000, to_gb: 10000, price_per_gb: 0.0119 },
      { from_gb: 10000, to_gb: null, price_per_gb: 0.00985 },
    ],
    options: { mobile_workstation: { price: changing / 100, trial_days: 90 } },
    currencies: ['CHF', 'EUR'],
  };
}
