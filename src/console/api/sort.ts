/** The GraphQL value of a sort that addresses and REST spell `cost` or `-cost`: `COST_ASC` or `COST_DESC`. Text from an
 *  address is not checked; the API refuses unknown values. */
export function sortValue<Value extends string>(sort: string | null): Value | null {
  if (sort === null) return null;
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  return `${sort.replace(/^-/, '').toUpperCase()}_${direction}` as Value;
}
