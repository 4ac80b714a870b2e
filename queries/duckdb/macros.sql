-- Functions of Athena with another name in DuckDB.
create macro regexp_like(subject, pattern) as regexp_matches(subject, pattern);
-- Athena converts a time to and from the clocks of a zone by two functions.
create macro with_timezone(instant, zone) as timezone(zone, instant);
create macro at_timezone(instant, zone) as timezone(zone, instant);
