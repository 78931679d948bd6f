/** Asks for page after page, by the token that each one names for the next.
 *  @param most pages after the first
 *  @param endless what to throw when a token comes twice, or too many come: the answer would never end */
export async function* followPages<Page>(
  ask: (token: string | undefined) => Promise<Page>,
  nextOf: (page: Page) => string | null | undefined,
  most: number,
  endless: (isRepeated: boolean) => Error,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let token: string | undefined; ;) {
    const page = await ask(token);
    yield page;
    token = nextOf(page) ?? undefined;
    if (token === undefined) return;
    if (seen.has(token) || seen.size >= most) throw endless(seen.has(token));
    seen.add(token);
  }
}
