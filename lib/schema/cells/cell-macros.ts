import {
  DUPLICATE_MARK,
  HALF_MARK,
  NO_NUMBER_MARK,
  NUMBER_MARK,
  REPLACEMENT,
  SECRET_MARK,
} from '../../lake/raw/marks.ts';
import { VALUE_CLASSES as C, UNKNOWN_CLASS } from '../columns/value-classes.ts';
import { NUMBER_MACROS } from './number-macros.ts';
import { TIME_MACROS } from './time-macros.ts';

/** The text that sorts behind each marked number: these begin with a digit or a minus. */
const AFTER_MARK = `${NUMBER_MARK}:`;
/** The text that sorts behind each marked word. */
const AFTER_NO_NUMBER = `${NUMBER_MARK}y`;

/** SQL macros that return a value's class from its JSON text `v`, as from_json(…, '[{"Key":"JSON"}]') returns it. */
const CLASS_MACROS: readonly string[] = [
  `CREATE OR REPLACE MACRO is_marked_number(v) AS v >= '"${NUMBER_MARK}' AND v < '"${AFTER_MARK}'`,

  `-- true of NaN, Infinity and -Infinity, which JSON does not have
  CREATE OR REPLACE MACRO is_no_number(v) AS v >= '"${NO_NUMBER_MARK}' AND v < '"${AFTER_NO_NUMBER}'`,

  `-- the token of a number, marked or not; null for everything else
  CREATE OR REPLACE MACRO number_token(v) AS CASE
    WHEN v >= '-' AND v < ':' THEN v
    WHEN is_marked_number(v) THEN substr(v, 3, length(v) - 3)
  END`,

  `-- the class of a string that is nothing else
  CREATE OR REPLACE MACRO plain_text_class(v) AS CASE
    WHEN contains(v, '${HALF_MARK}') THEN ${C.halfPair}
    WHEN is_no_number(v) THEN ${C.noNumber}
    WHEN contains(v, '${SECRET_MARK}') THEN ${C.secret}
    ELSE ${C.text}
  END`,

  `-- the commonest moment, to be seen cheaply: 2020-03-09T14:07:53Z; null for everything else
  CREATE OR REPLACE MACRO plain_moment(v) AS CASE
    WHEN v LIKE '"____-__-__T__:__:__Z"' AND NOT contains(v, ' ') AND v >= '"0002' AND v < '":'
      THEN try_cast(substr(v, 2, 19) AS TIMESTAMP)
  END`,

  `-- the commonest date, to be seen cheaply: 2020-03-09; null for everything else
  CREATE OR REPLACE MACRO plain_date(v) AS CASE
    WHEN v LIKE '"____-__-__"' AND NOT contains(v, ' ') AND v >= '"0002' AND v < '":'
      THEN try_cast(substr(v, 2, 10) AS DATE)
  END`,

  `-- the moment in a string, with its class; null where nothing in it looks like one
  CREATE OR REPLACE MACRO text_moment(v) AS CASE
    WHEN v >= '"/D' AND v < '"/E' THEN dotnet_moment(v)
    WHEN substr(v, 5, 1) = ',' OR is_js_date(v) THEN rfc1123_moment(v)
    WHEN is_year_first(v) THEN iso_moment(v)
    WHEN contains(v, '/') OR contains(v, '.') THEN day_month_moment(v)
  END`,

  `-- the class of a string that is not empty, where it is cheap to see, else unknown
  CREATE OR REPLACE MACRO quick_text_class(v) AS CASE
    WHEN v >= '"0' AND v < '":' THEN CASE
      WHEN plain_moment(v) IS NOT NULL THEN CASE WHEN v < '"1980' THEN ${UNKNOWN_CLASS} ELSE ${C.iso} END
      WHEN v = '"0001-01-01T00:00:00Z"' THEN ${C.sentinel}
      WHEN strlen(v) < 10 THEN plain_text_class(v)
      WHEN is_year_first(v) OR substr(v, 3, 1) IN ('.', '/') OR substr(v, 4, 1) IN ('.', '/') THEN ${UNKNOWN_CLASS}
      WHEN strlen(v) BETWEEN 11 AND 21 AND try_cast(substr(v, 2, 9) AS BIGINT) IS NOT NULL THEN ${UNKNOWN_CLASS}
      ELSE plain_text_class(v)
    END
    WHEN strlen(v) <= 7 AND lower(v) IN ('"true"', '"false"') THEN ${C.booleanText}
    WHEN is_marked_number(v) OR v >= '"/D' AND v < '"/E' THEN ${UNKNOWN_CLASS}
    WHEN strlen(v) BETWEEN 28 AND 33 AND substr(v, 5, 1) = ',' OR is_js_date(v) THEN ${UNKNOWN_CLASS}
    ELSE plain_text_class(v)
  END`,

  `-- the class of a value where it is cheap to see, else unknown; null for null and {}, which says nothing either
  CREATE OR REPLACE MACRO quick_class(v) AS (CASE
    -- by the first character, in the order of ASCII: " - 0…9 [ f n t {
    WHEN v IS NULL OR v = 'null' THEN NULL
    WHEN v = '""' THEN ${C.empty}
    WHEN v < '#' THEN quick_text_class(v)
    WHEN v < ':' THEN quick_number_class(v)
    WHEN v < 'a' THEN ${C.array}
    WHEN v < 'u' THEN ${C.boolean}
    WHEN v = '{}' THEN NULL
    ELSE ${C.object}
  END)::UTINYINT`,

  `-- the class of a string of digits, which may be a time
  CREATE OR REPLACE MACRO digits_text_class(v) AS
    list_transform([substr(v, 2, strlen(v) - 2)], lambda digits__: CASE digits_class(digits__)
      WHEN ${C.seconds} THEN ${C.secondsText}
      WHEN ${C.milliseconds} THEN ${C.millisecondsText}
      WHEN ${C.microseconds} THEN ${C.microsecondsText}
      WHEN ${C.nanoseconds} THEN ${C.nanosecondsText}
      ELSE ${C.text}
    END)[1]`,

  `-- the class of a value for which quick_class is unknown
  CREATE OR REPLACE MACRO slow_class(v) AS CASE
    WHEN is_marked_number(v) OR v >= '-' AND v < ':' THEN list_transform([number_token(v)], lambda token__: slow_number_class(token__))[1]
    WHEN v < '"1' OR v >= '":' OR NOT regexp_full_match(v, '"[0-9]{9,19}"') THEN list_transform(
      [text_moment(v).class],
      lambda class__: CASE WHEN class__ IS NULL OR class__ = ${C.text} THEN plain_text_class(v) ELSE class__ END
    )[1]
    ELSE digits_text_class(v)
  END`,

  `-- the class of a value, null for null
  CREATE OR REPLACE MACRO cell_class(v) AS list_transform(
    [quick_class(v)],
    lambda quick__: (CASE WHEN quick__ = ${UNKNOWN_CLASS} THEN slow_class(v) ELSE quick__ END)::UTINYINT
  )[1]`,
];

/** SQL macros that return a value of one type from its JSON text `v`; null where the type does not hold it exactly. */
const CELL_VALUE_MACROS: readonly string[] = [
  `-- an array or object as the API wrote it: numbers, repeated keys and half pairs are themselves again
  CREATE OR REPLACE MACRO unmarked_json(v) AS CASE
    WHEN regexp_matches(v, '[${NUMBER_MARK}-${HALF_MARK}]') THEN regexp_replace(
      regexp_replace(
        regexp_replace(v, '"${NUMBER_MARK}x?([-+.0-9A-Za-z]+)"', '\\1', 'g'),
        '${DUPLICATE_MARK}[0-9]+":', '":', 'g'
      ),
      '${HALF_MARK}([0-9a-f]{4})', '\\\\u\\1', 'g'
    )
    ELSE v
  END`,

  `-- the text of a string, with what stands for half a pair
  CREATE OR REPLACE MACRO string_text(v, half) AS CASE
    WHEN contains(v, '${HALF_MARK}') THEN regexp_replace(json_extract_string(v, '$'), '${HALF_MARK}([0-9a-f]{4})', half, 'g')
    ELSE json_extract_string(v, '$')
  END`,

  `-- a value as text: a string without quotes and escapes, everything else as its JSON text
  CREATE OR REPLACE MACRO cell_text(v) AS CASE
    WHEN is_marked_number(v) THEN number_token(v)
    WHEN is_no_number(v) THEN NULL
    WHEN v < '#' THEN string_text(v, '${REPLACEMENT}')
    WHEN v < ':' THEN v
    WHEN v < 'a' OR v >= 'u' THEN nullif(unmarked_json(v), '{}')
    WHEN v <> 'null' THEN v
  END`,

  `-- a value as the text of an id: a string that is not empty, or a whole number; else null
  CREATE OR REPLACE MACRO id_text(v) AS CASE
    WHEN v >= '-' AND v < ':' OR is_marked_number(v)
      THEN id_number(CASE WHEN v < '#' THEN lower(substr(v, 3, length(v) - 3)) ELSE v END)
    WHEN v < '#' AND v <> '""' AND NOT is_no_number(v) THEN string_text(v, '\\\\u\\1')
  END`,

  `-- a value as rejects has it: what no cell holds as its escape
  CREATE OR REPLACE MACRO reject_text(v) AS CASE
    WHEN is_no_number(v) THEN substr(v, 4, length(v) - 4)
    WHEN v < '#' AND NOT is_marked_number(v) THEN string_text(v, '\\\\u\\1')
    ELSE cell_text(v)
  END`,

  `CREATE OR REPLACE MACRO cell_boolean(v) AS CASE
    WHEN v IN ('true', 'false') THEN v = 'true'
    WHEN strlen(v) <= 7 AND lower(v) IN ('"true"', '"false"') THEN lower(v) = '"true"'
  END`,

  `CREATE OR REPLACE MACRO cell_bigint(v) AS CASE
    WHEN v >= '-' AND v < ':' AND is_whole(v) THEN try_cast(v AS BIGINT)
    WHEN v >= '-' AND v < ':' OR is_marked_number(v)
      THEN list_transform([number_token(v)], lambda token__: number_bigint(token__))[1]
  END`,

  `CREATE OR REPLACE MACRO cell_decimal(v) AS CASE
    -- DuckDB casts text to DECIMAL(38,9) in 3 us, a hundred times slower than by way of these
    WHEN v >= '-' AND v < ':' AND strlen(v) <= 18 AND is_whole(v) THEN try_cast(v AS BIGINT)::DECIMAL(38,9)
    WHEN v >= '-' AND v < ':' AND is_short_fraction(v) THEN try_cast(v AS DECIMAL(18,9))::DECIMAL(38,9)
    WHEN v >= '-' AND v < ':' OR is_marked_number(v)
      THEN list_transform([number_token(v)], lambda token__: number_decimal(token__))[1]
  END`,

  `CREATE OR REPLACE MACRO cell_double(v) AS CASE
    -- 15 significant digits survive any double
    WHEN v >= '-' AND v < ':' AND strlen(v) <= 15 AND NOT contains(v, 'e') THEN try_cast(v AS DOUBLE)
    WHEN v >= '-' AND v < ':' OR is_marked_number(v)
      THEN list_transform([number_token(v)], lambda token__: number_double(token__))[1]
  END`,

  `-- seconds, milliseconds, … since 1970, as a number or as digits in a string
  CREATE OR REPLACE MACRO epoch_moment(v) AS list_transform(
    [{
      'class': CASE
        WHEN is_marked_number(v) OR v >= '1' AND v < ':' AND is_whole(v) AND strlen(v) > 15
          THEN list_transform([number_token(v)], lambda token__: slow_number_class(token__))[1]
        WHEN v >= '1' AND v < ':' AND is_whole(v) THEN digits_class(v)
        WHEN is_seconds_fraction(v) THEN ${C.secondsFraction}
        WHEN v < '"1' OR v >= '":' OR NOT regexp_full_match(v, '"[0-9]{9,19}"') THEN ${C.text}
        ELSE digits_text_class(v)
      END,
      'count': try_cast(coalesce(number_token(v), trim(v, '"')) AS BIGINT),
      -- whole and a fraction of at most nine digits: their milliseconds, cut
      'ms': CASE WHEN is_seconds_fraction(v) THEN try_cast(trunc(try_cast(v AS DECIMAL(19, 9)) * 1000) AS BIGINT) END
    }],
    lambda x__: {
      'class': x__.class,
      'moment': CASE
        WHEN x__.class IN (${C.seconds}, ${C.secondsText}) THEN epoch_ms(x__.count * 1000)
        WHEN x__.class IN (${C.milliseconds}, ${C.millisecondsText}) THEN epoch_ms(x__.count)
        WHEN x__.class IN (${C.microseconds}, ${C.microsecondsText}) THEN epoch_ms(x__.count // 1000)
        WHEN x__.class IN (${C.nanoseconds}, ${C.nanosecondsDouble}, ${C.nanosecondsText}) THEN epoch_ms(x__.count // 1000000)
        WHEN x__.class = ${C.secondsFraction} THEN epoch_ms(x__.ms)
      END,
      'other': NULL::TIMESTAMP
    }
  )[1]`,

  `-- a string that holds a number as the number's token, everything else as it is
  CREATE OR REPLACE MACRO unquoted_number(v) AS CASE
    WHEN regexp_full_match(v, '"-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?"') THEN '"${NUMBER_MARK}' || v[2:]
    ELSE v
  END`,

  `-- a boolean that may be written as 0 or 1, in a string too
  CREATE OR REPLACE MACRO cell_switch(v) AS
    coalesce(
      cell_boolean(v),
      list_transform([unquoted_number(v)], lambda x__: CASE cell_bigint(x__) WHEN 1 THEN true WHEN 0 THEN false END)[1]
    )`,
];

/** Statements that a DuckDB instance must run once before any SQL of this folder: the macros that it calls. */
export const CELL_MACROS: readonly string[] = [
  ...NUMBER_MACROS,
  ...TIME_MACROS,
  ...CLASS_MACROS,
  ...CELL_VALUE_MACROS,
];
