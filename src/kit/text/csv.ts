/** A CSV line (RFC 4180), terminated by a line feed. Hand-written, because a CSV library would take longer than
 *  everything else in producing the file. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(field).join(',')}\n`;
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
