import { VALUE_CLASSES as C, UNKNOWN_CLASS } from '../columns/value-classes.ts';

/**
 * SQL macros over a number's text. A type holds a number exactly if the cell returns the same number when it
 * is read; for a double its shortest form counts. Each macro first tests what nearly all numbers have and
 * what is cheap to see. If a macro needs a value twice, list_transform names it. DuckDB copies a macro's
 * argument to each place of use, and each copy makes planning slower.
 */
export const NUMBER_MACROS: readonly string[] = [
  `-- the digits between a number's leading and trailing zeros, and the power of ten of the last one
  CREATE OR REPLACE MACRO number_normal(token) AS list_transform(
    list_transform(
      [regexp_extract(token, '^-?([0-9]+)(?:\\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$', ['whole', 'part', 'power'])],
      lambda x__: {
        'digits': ltrim(x__.whole || x__.part, '0'),
        -- beyond what any type holds, where the exponent itself is too long
        'power': CASE x__.power WHEN '' THEN 0 ELSE coalesce(try_cast(x__.power AS INTEGER), 999999999) END - strlen(x__.part)
      }
    ),
    lambda x__: {
      'digits': rtrim(x__.digits, '0'),
      'power': CASE x__.digits WHEN '' THEN 0 ELSE x__.power + strlen(x__.digits) - strlen(rtrim(x__.digits, '0')) END
    }
  )[1]`,

  `-- a number as BIGINT, or null where that does not hold it exactly
  CREATE OR REPLACE MACRO number_bigint(token) AS list_transform([number_normal(token)], lambda x__: CASE
    WHEN x__.digits = '' THEN 0
    WHEN x__.power BETWEEN 0 AND 18
      THEN try_cast(CASE WHEN token < '0' THEN '-' ELSE '' END || x__.digits || repeat('0', x__.power) AS BIGINT)
  END)[1]`,

  `-- a number as DECIMAL(38,9), or null where that does not hold it exactly
  CREATE OR REPLACE MACRO number_decimal(token) AS list_transform([number_normal(token)], lambda x__: CASE
    WHEN x__.digits = '' THEN 0
    WHEN x__.power >= -9 AND strlen(x__.digits) + x__.power <= 29 THEN try_cast(token AS DECIMAL(38,9))
  END)[1]`,

  `-- a number as DOUBLE, or null where that does not hold it exactly
  CREATE OR REPLACE MACRO number_double(token) AS list_transform([try_cast(token AS DOUBLE)], lambda x__: CASE
    WHEN number_normal(x__::VARCHAR) = number_normal(token) THEN x__
  END)[1]`,

  `-- the class of a number by which types hold it
  CREATE OR REPLACE MACRO number_fit(token) AS list_transform(
    [{ 'own': number_normal(token), 'of_double': number_normal(try_cast(token AS DOUBLE)::VARCHAR) }],
    lambda x__: CASE
      WHEN x__.own.digits = '' THEN ${C.zero}
      ELSE ${C.numberNone}
        + CASE
          WHEN x__.own.power < 0 OR strlen(x__.own.digits) + x__.own.power > 19 THEN 0
          WHEN strlen(x__.own.digits) + x__.own.power <= 18 THEN 1
          WHEN rpad(x__.own.digits, 19, '0') <= '922337203685477580' || CASE WHEN token < '0' THEN '8' ELSE '7' END THEN 1
          ELSE 0
        END
        + CASE WHEN x__.own.power >= -9 AND strlen(x__.own.digits) + x__.own.power <= 29 THEN 2 ELSE 0 END
        + CASE WHEN x__.own = x__.of_double THEN 4 ELSE 0 END
    END
  )[1]`,

  `-- true of 1795182047250000: whole microseconds since 1970, from 2000 to 2100
  CREATE OR REPLACE MACRO is_microseconds(digits) AS CASE strlen(digits)
    WHEN 16 THEN digits BETWEEN '1' AND '4102444799999999' AND regexp_full_match(digits, '[0-9]+')
    WHEN 15 THEN digits BETWEEN '946684800000000' AND '999999999999999' AND regexp_full_match(digits, '[0-9]+')
    ELSE false
  END`,

  `-- true of 1795182047250000000: the same of nanoseconds
  CREATE OR REPLACE MACRO is_nanoseconds(digits) AS CASE strlen(digits)
    WHEN 19 THEN digits BETWEEN '1' AND '4102444799999999999' AND regexp_full_match(digits, '[0-9]+')
    WHEN 18 THEN digits BETWEEN '946684800000000000' AND '999999999999999999' AND regexp_full_match(digits, '[0-9]+')
    ELSE false
  END`,

  `-- the class of digits that may be a time: as text, 946684800 s is the year 2000 and 4102444800 s the year 2100
  CREATE OR REPLACE MACRO digits_class(digits) AS CASE
    WHEN strlen(digits) = 10 AND digits BETWEEN '1' AND '4102444799' THEN ${C.seconds}
    WHEN strlen(digits) = 9 AND digits >= '946684800' THEN ${C.seconds}
    WHEN strlen(digits) = 13 AND digits BETWEEN '1' AND '4102444799999' THEN ${C.milliseconds}
    WHEN strlen(digits) = 12 AND digits >= '946684800000' THEN ${C.milliseconds}
    WHEN is_microseconds(digits) THEN ${C.microseconds}
    WHEN is_nanoseconds(digits) THEN ${C.nanoseconds}
    ELSE ${C.number}
  END`,

  `-- the class of a number that is not cheap to see
  CREATE OR REPLACE MACRO slow_number_class(token) AS CASE
    WHEN is_microseconds(token) THEN ${C.microseconds}
    WHEN is_nanoseconds(token)
      THEN CASE WHEN number_double(token) IS NULL THEN ${C.nanoseconds} ELSE ${C.nanosecondsDouble} END
    ELSE number_fit(token)
  END`,

  `-- true of 12 and -3, false of 1.0 and 1e3, where DuckDB has written the number itself: its exponent is an e
  CREATE OR REPLACE MACRO is_whole(token) AS NOT contains(token, '.') AND NOT contains(token, 'e')`,

  `-- the text of a number as an id: the integer that JavaScript takes 1.0, 1e3 and -0 for; null where it is none
  CREATE OR REPLACE MACRO id_number(token) AS CASE
    WHEN is_whole(token) THEN CASE token WHEN '-0' THEN '0' ELSE token END
    ELSE list_transform([try_cast(token AS DOUBLE)], lambda x__: CASE
      WHEN x__ = trunc(x__) AND abs(x__) <= 9007199254740991 THEN x__::BIGINT::VARCHAR
    END)[1]
  END`,

  `-- true of 1.5: at most nine digits on either side of the point
  CREATE OR REPLACE MACRO is_short_fraction(token) AS
    strpos(token, '.') BETWEEN 2 AND 10 AND strlen(token) - strpos(token, '.') <= 9 AND NOT contains(token, 'e')`,

  `-- true of 1795182047.25: seconds since 1970 with up to five digits behind the point, from 2001 to 2100
  CREATE OR REPLACE MACRO is_seconds_fraction(token) AS
    strpos(token, '.') = 11 AND strlen(token) BETWEEN 12 AND 16 AND right(token, 1) <> '0' AND NOT contains(token, 'e')
      AND token BETWEEN '1' AND '4102444799.99999'`,

  `-- the class of a number that DuckDB has written where it is cheap to see, else unknown
  CREATE OR REPLACE MACRO quick_number_class(token) AS CASE
    WHEN strlen(token) <= 8 AND is_whole(token) THEN CASE WHEN token IN ('0', '-0') THEN ${C.zero} ELSE ${C.number} END
    WHEN strlen(token) <= 15 AND is_whole(token) THEN digits_class(token)
    -- 18 significant digits, one more than a double's shortest form may have
    WHEN strlen(token) BETWEEN 18 AND 19 AND token > '0' AND is_whole(token) AND right(token, 1) <> '0'
      AND try_cast(token AS BIGINT) IS NOT NULL
      THEN CASE WHEN is_nanoseconds(token) THEN ${C.nanoseconds} ELSE ${C.numberBigintDecimal} END
    WHEN is_seconds_fraction(token) THEN ${C.secondsFraction}
    WHEN is_short_fraction(token) AND strlen(token) <= 16 AND right(token, 1) <> '0' THEN ${C.numberDecimalDouble}
    ELSE ${UNKNOWN_CLASS}
  END`,
];
