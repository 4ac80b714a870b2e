import type { TrueStorage } from '../vault.ts';
import { newestAt, priceNow, pricesAt, reservedOf, sumOf } from '../vault-oracle.ts';
import { DAY_MS } from '../world.ts';
import { grouped, type Oracle, rounded, sum, type TrueRow } from './answer.ts';

/** What is true of the answers about backup, by question. */
export const OF_ACCOUNTS: Readonly<Record<string, Oracle>> = {
  'Which storages are nearly full, and which expire soon?': ({ accounts }) =>
    accounts.flatMap(({ source, vault, days }) =>
      (days.at(-1)?.known ?? []).flatMap(({ storage, at, used }): readonly TrueRow[] => {
        const share = used === 'not known' ? null : used / storage.size;
        const expiry =
          storage.expiresAt === undefined
            ? null
            : (storage.expiresAt - Math.max(at, newestAt(vault))) / DAY_MS;
        if ((share ?? 0) < 0.8 && (expiry ?? 61) > 60) return [];
        return [
          {
            cells: {
              export_source: source,
              storage_id: `${storage.id}`,
              storage_name: `S${storage.id}`,
              storage_used_share: share,
              expired_at: storage.expiresAt === undefined ? null : { time: storage.expiresAt },
              days_to_expiry: expiry === null ? null : rounded(expiry, 0),
            },
          },
        ];
      }),
    ),

  'What does backup cost, month by month?': ({ accounts }) =>
    accounts.flatMap(({ source, vault, days }) => {
      if (pricesAt(vault) === undefined) return [];
      const now = days.at(-1)?.known ?? [];
      // Of what is gone nobody tells any more whether it was free.
      const isPaid = ({ id }: TrueStorage) => !now.some(({ storage }) => storage.isFree && storage.id === id);
      const reserved = days
        // Of an empty listing nothing is kept but its outcome, which is that of the last run.
        .filter(
          ({ answered, known, isAnsweredLast }) =>
            answered.length > 0 && (known.length > 0 || isAnsweredLast),
        )
        .map(({ date, known }) => ({
          month: date.slice(0, 7),
          bytes: sumOf(known.map((each) => (isPaid(each.storage) ? reservedOf(vault, each) : 0))),
        }));
      return vault.prices
        .filter(({ isPerGb }) => isPerGb)
        .flatMap((price) =>
          grouped(
            reserved,
            ({ month }) => ({
              ...{ month, export_source: source, price_name: `${price.code} price` },
              ...{ currency: price.currency },
            }),
            (group) => {
              const measured = group.flatMap(({ bytes }) => (bytes === 'not known' ? [] : bytes / 1e9));
              const gb = measured.length === 0 ? null : sum(measured) / measured.length;
              const cost = gb === null ? null : gb * priceNow(vault, price);
              return {
                ...{ paid_gb: gb, cost, periodicity: vault.period ?? null },
                days_measured: measured.length,
              };
            },
          ),
        );
    }),

  'How fast does each storage grow?': ({ accounts }) =>
    accounts.flatMap(({ source, vault, days }) =>
      vault.storages.flatMap((storage): readonly TrueRow[] => {
        const uses = days.flatMap(({ date, known, answered }) => {
          const own = known.find((each) => each.storage.id === storage.id);
          const isRead = answered.some(({ at }) => at === own?.slotsAt);
          return own === undefined || own.used === 'not known' || !isRead ? [] : [{ date, used: own.used }];
        });
        const [first, last] = [uses[0], uses.at(-1)];
        if (first === undefined || last === undefined) return [];
        // One reading shows no growth.
        const grown = uses.length > 1 ? last.used - first.used : null;
        return [
          {
            cells: {
              ...{ export_source: source, storage_id: `${storage.id}` },
              ...{ since: first.date, until_day: last.date, grown_bytes: grown },
            },
          },
        ];
      }),
    ),
};
