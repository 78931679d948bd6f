/** A text no longer than so many characters: what is cut ends in `…`. Never cuts a character in two. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  return `${kept.replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
