/** Quotes a text for SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes an identifier for SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
