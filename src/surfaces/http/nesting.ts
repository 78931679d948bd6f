/** Maximum nesting of lists and objects in a request. Real requests need a few levels; parsers and JSON.stringify
 *  recurse, and overflow the stack at a few thousand. */
export const maxNesting = 100;

/** Whether a JSON value nests deeper than `maxNesting`. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= maxNesting; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Strings and comments of a GraphQL document, whose brackets are ignored, and the brackets that count. */
const tokens = /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[{[(]|[)\]}]/g;

/** Whether a GraphQL document nests deeper than `maxNesting`, without parsing it. */
export function isDocumentTooDeep(document: string): boolean {
  let depth = 0;
  for (const [token] of document.matchAll(tokens)) {
    if (token === '{' || token === '[' || token === '(') depth += 1;
    else if (token === '}' || token === ']' || token === ')') depth -= 1;
    if (depth > maxNesting) return true;
  }
  return false;
}
