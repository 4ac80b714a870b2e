-- What Athena has and DuckDB calls by another name.
create macro regexp_like(subject, pattern) as regexp_matches(subject, pattern);
-- Athena reads a time by the clocks of a zone, and tells one by them.
create macro with_timezone(instant, zone) as timezone(zone, instant);
create macro at_timezone(instant, zone) as timezone(zone, instant);
