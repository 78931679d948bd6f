import { arg, fix, invalid, mention, type AppError, type Subject } from './errors.ts';

// Errors shared by several areas.

/** An update without any changes.
 *  @param names the fields it accepts */
export function unchanged(...names: readonly string[]): AppError {
  return invalid`Nothing to change${fix}send at least one of ${mention(...names)}`;
}

/** JSON Schema keywords for non-blank text. */
export const filledRule = { minLength: 1, pattern: '\\S' } as const;

/** Blank text: no visible characters.
 *  @param subject the argument with the text, from `arg` */
export function blank(subject: Subject): AppError {
  return invalid`${subject} is blank${fix}give a value, or leave it out`;
}

/** A field that cannot be cleared.
 *  @param field its path */
export function notNull(field: string): AppError {
  return invalid`${arg(field)} cannot be null${fix}leave it out to keep it`;
}

/** A range of days that ends before it starts; both as `YYYY-MM-DD`. */
export function endBeforeStart(end: string, start: string): AppError {
  return invalid`${arg('end_date', end)} is before ${mention('start_date')} ${start}${fix}send the earlier day as ${mention('start_date')}`;
}

/** A condition on a tag without the tag's key.
 *  @param condition the argument that requires the key
 *  @param value the argument's value */
export function keyMissing(condition: 'tag_value' | 'untagged', value: string): AppError {
  return invalid`${arg(condition, value)} requires ${mention('tag_key')}${fix}give both or neither`;
}
