import { VALUE_CLASSES as C } from '../columns/value-classes.ts';

const OFFSET = '(?:[01][0-9]|2[0-3]):?(?:[0-5][0-9])?';
/** `Z`, `UTC`, `+02:00`, `GMT+02:00` */
const ZONE = `(?: ?([Zz]|(?:UTC|GMT)?[-+]${OFFSET}|UTC|GMT))?`;
const ISO =
  '^"([0-9]{4}[-/][0-9]{2}[-/][0-9]{2})' +
  `(?:[Tt ]((?:[01][0-9]|2[0-4]):[0-5][0-9])(?:(:[0-5][0-9])(?:[.]([0-9]+))?)?${ZONE})?"$`;
/** The same without signs: `20221125T230100Z`. */
const BASIC =
  '^"([0-9]{4})([0-9]{2})([0-9]{2})T([0-9]{2})([0-9]{2})([0-9]{2})((?:[.][0-9]+)?(?:Z|[-+][0-9]{4})?)"$';
const DAY_MONTH =
  '^"([0-9]{1,2})([./])([0-9]{1,2})[./]([0-9]{4})(?:,? ([0-9]{1,2}:[0-9]{2})(:[0-9]{2})?(?: ?([AP])M)?)?"$';
const RFC1123 =
  '^"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ([0-9]{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} ' +
  '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]) (?:GMT|UTC|UT|Z|([-+](?:[01][0-9]|2[0-3])[0-5][0-9]))"$';

/** As JavaScript writes a Date: `Fri Nov 20 2026 13:40:47 GMT+0100 (Central European Standard Time)`. */
const JS_DATE =
  '^"([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([0-9]{2}) ([0-9]{4}) ([0-9:]{8}) GMT([-+][0-9]{4})(?: [(][^()]*[)])?"$';

/**
 * SQL macros that read a moment from a string's JSON text `v`. They return a struct: the value's class, and the moment
 * as TIMESTAMP. It is in UTC if the class shows it, otherwise by the clock on the wall (`other`: month first, not day
 * first). A text without a moment in the years 1 to 9999 is text. Digits beyond the milliseconds are cut.
 */
export const TIME_MACROS: readonly string[] = [
  `CREATE OR REPLACE MACRO is_in_years(moment) AS
    moment BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'`,

  `-- +01:30 as minutes
  CREATE OR REPLACE MACRO signed_minutes(zone) AS
    (zone[1] || '1')::INTEGER
      * (substr(zone, 2, 2)::INTEGER * 60 + coalesce(try_cast(substr(replace(zone, ':', ''), 4) AS INTEGER), 0))`,

  `-- +01:30 as minutes; nothing and Z as 0
  CREATE OR REPLACE MACRO offset_minutes(zone) AS CASE
    WHEN strlen(zone) < 3 OR zone IN ('UTC', 'GMT') THEN 0
    WHEN zone > 'A' THEN signed_minutes(substr(zone, 4))
    ELSE signed_minutes(zone)
  END`,

  `-- 2020-03-09, 2020/03/09 and 20200309T, but not 3/12/2020
  CREATE OR REPLACE MACRO is_year_first(v) AS substr(v, 6, 1) = '-' OR strpos(v, '/') = 6 OR substr(v, 10, 1) = 'T'`,

  `-- strings that are year first
  CREATE OR REPLACE MACRO iso_moment(v) AS list_transform(
    list_transform(
      [regexp_extract(
        CASE WHEN substr(v, 10, 1) = 'T' THEN regexp_replace(v, '${BASIC}', '"\\1-\\2-\\3T\\4:\\5:\\6\\7"') ELSE v END,
        '${ISO}',
        ['day', 'clock', 'second', 'fraction', 'zone']
      )],
      lambda x__: {
        'has_clock': x__.clock <> '',
        'has_zone': x__.zone <> '',
        'is_cut': rtrim(substr(x__.fraction, 4), '0') <> '',
        'offset': to_minutes(offset_minutes(x__.zone)),
        'wall': try_cast(
          replace(x__.day, '/', '-') || ' ' || CASE x__.clock WHEN '' THEN '00:00' ELSE x__.clock END
            || CASE x__.second WHEN '' THEN ':00' ELSE x__.second END || '.' || rpad(left(x__.fraction, 3), 3, '0')
          AS TIMESTAMP
        )
      }
    ),
    lambda x__: {
      'class': CASE
        WHEN x__.wall = TIMESTAMP '0001-01-01' THEN ${C.sentinel}
        WHEN is_in_years(x__.wall - x__.offset) IS DISTINCT FROM TRUE THEN ${C.text}
        WHEN NOT x__.has_clock THEN ${C.isoDate}
        WHEN x__.has_zone AND NOT x__.is_cut AND x__.wall - x__.offset < TIMESTAMP '1980-01-01'
          THEN CASE WHEN x__.wall - x__.offset = TIMESTAMP '1970-01-01' THEN ${C.zeroTime} ELSE ${C.isoOld} END
        ELSE CASE WHEN x__.has_zone THEN ${C.iso} ELSE ${C.isoLocal} END + CASE WHEN x__.is_cut THEN 1 ELSE 0 END
      END,
      'moment': x__.wall - x__.offset,
      'other': NULL::TIMESTAMP
    }
  )[1]`,

  `-- 9, 3, 2020, 2:07, :53, P and the like; a null half is no hour of twelve
  CREATE OR REPLACE MACRO wall_of(year, month, day, clock, second, half) AS try_cast(
      year || '-' || month || '-' || day || ' ' || CASE clock WHEN '' THEN '0:00' ELSE clock END
        || CASE second WHEN '' THEN ':00' ELSE second END
      AS TIMESTAMP
    ) + to_hours(CASE
      WHEN half = '' THEN 0
      WHEN split_part(clock, ':', 1)::INTEGER BETWEEN 1 AND 12
        THEN CASE half WHEN 'P' THEN 12 ELSE 0 END - CASE split_part(clock, ':', 1) WHEN '12' THEN 12 ELSE 0 END
    END)`,

  `-- strings that begin with a digit and hold dots or slashes
  CREATE OR REPLACE MACRO day_month_moment(v) AS list_transform(
    list_transform(
      [regexp_extract(upper(v), '${DAY_MONTH}', ['first', 'mark', 'second', 'year', 'clock', 'seconds', 'half'])],
      lambda x__: {
        'has_dots': x__.mark = '.',
        'has_clock': x__.clock <> '',
        'day_first': wall_of(x__.year, x__.second, x__.first, x__.clock, x__.seconds, x__.half),
        'month_first': CASE WHEN x__.mark = '/' THEN wall_of(x__.year, x__.first, x__.second, x__.clock, x__.seconds, x__.half) END
      }
    ),
    lambda x__: {
      'class': CASE
        WHEN is_in_years(coalesce(x__.day_first, x__.month_first)) IS DISTINCT FROM TRUE THEN ${C.text}
        WHEN x__.day_first = TIMESTAMP '0001-01-01' THEN ${C.sentinel}
        WHEN x__.has_dots THEN CASE WHEN x__.has_clock THEN ${C.germanTime} ELSE ${C.germanDate} END
        ELSE CASE WHEN x__.has_clock THEN ${C.slashTime} ELSE ${C.slashDate} END
          + CASE WHEN x__.month_first IS NULL THEN 1 WHEN x__.day_first IS NULL THEN 2 ELSE 0 END
      END,
      'moment': x__.day_first,
      'other': x__.month_first
    }
  )[1]`,

  `-- strings that begin like /Date(
  CREATE OR REPLACE MACRO dotnet_moment(v) AS list_transform(
    [try_cast(regexp_extract(v, '^"/Date\\((-?[0-9]{1,15})(?:[-+][0-9]{4})?\\)/"$', 1) AS BIGINT)],
    lambda x__: {
      'class': CASE
        WHEN x__ = -62135596800000 THEN ${C.sentinel}
        WHEN x__ BETWEEN -62135596800000 AND 253402300799999 THEN ${C.dotnet}
        ELSE ${C.text}
      END,
      'moment': epoch_ms(x__),
      'other': NULL::TIMESTAMP
    }
  )[1]`,

  `-- Fri Nov 20 2026 13:40:47 GMT+0100, with the name of a zone behind it or not
  CREATE OR REPLACE MACRO is_js_date(v) AS substr(v, 5, 1) = ' ' AND substr(v, 26, 4) = ' GMT'`,

  `-- strings that begin like Mon, or Mon Nov
  CREATE OR REPLACE MACRO rfc1123_moment(v) AS list_transform(
    list_transform(
      [regexp_extract(
        CASE WHEN is_js_date(v) THEN regexp_replace(v, '${JS_DATE}', '"\\1, \\3 \\2 \\4 \\5 \\6"') ELSE v END,
        '${RFC1123}',
        ['wall', 'zone']
      )],
      lambda x__: try_strptime(x__.wall, '%d %b %Y %H:%M:%S') - to_minutes(offset_minutes(x__.zone))
    ),
    lambda x__: {
      'class': CASE
        WHEN x__ = TIMESTAMP '0001-01-01' THEN ${C.sentinel}
        WHEN is_in_years(x__) THEN ${C.rfc1123}
        ELSE ${C.text}
      END,
      'moment': x__,
      'other': NULL::TIMESTAMP
    }
  )[1]`,

  `-- the moment at which a clock of the zone shows it, the earlier where it does so twice; null where it never does
  CREATE OR REPLACE MACRO instant_of_wall(wall, zone) AS list_transform(
    [timezone(zone, wall - INTERVAL 1 DAY) + INTERVAL 24 HOURS],
    lambda by__offset: CASE
      WHEN timezone(zone, by__offset) = wall THEN timezone('UTC', by__offset)
      WHEN timezone(zone, timezone(zone, wall)) = wall THEN timezone('UTC', timezone(zone, wall))
    END
  )[1]`,
];
