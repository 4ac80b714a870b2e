-- What Athena has and DuckDB calls by another name.
create macro regexp_like(subject, pattern) as regexp_matches(subject, pattern);
