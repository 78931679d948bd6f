/** Longer texts fit in no GIN index: their MD5 stands for them. */
const maxBytes = 500;

/** SQL of a relation with one column, `term`: two for each pair of a JSON object of tags, the key in lower case, and the
 *  key with U+001F and the value. In a key itself U+001F counts as U+001E. `inventory_resources.tag_terms` holds them, and filters by tag make the same of what they
 *  look for, in the database too, so that both agree on what lower case is.
 *  Each FROM holds one function: Citus 13 crashes on two in a correlated subquery.
 *  @param tags SQL of a jsonb object */
export function tagTerms(tags: string): string {
  const key = short(`lower(replace(regexp_replace(pair.key, '^(user:)+', ''), chr(31), chr(30)))`);
  const terms = `unnest(ARRAY[${key}, ${key} || chr(31) || ${short('pair.value')}])`;
  return `LATERAL (SELECT ${terms} AS term FROM jsonb_each_text(${tags}) AS pair) AS terms`;
}

function short(text: string): string {
  return `CASE WHEN octet_length(${text}) <= ${maxBytes} THEN ${text} ELSE md5(${text}) END`;
}
