import { arg, fix, invalid, mention, type AppError, type Subject } from './errors.ts';

// Refusals that several areas share.

/** An update that sets nothing.
 *  @param names what it takes */
export function unchanged(...names: readonly string[]): AppError {
  return invalid`Nothing to change${fix}send at least one of ${mention(...names)}`;
}

/** Bounds of a text that is not blank, as JSON Schema keywords. */
export const filledRule = { minLength: 1, pattern: '\\S' } as const;

/** A text without a visible character.
 *  @param subject the argument with the text, as `arg` makes it */
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
 *  @param condition the argument that needs the key
 *  @param value what the argument was given */
export function keyMissing(condition: 'tag_value' | 'untagged', value: string): AppError {
  return invalid`${arg(condition, value)} requires ${mention('tag_key')}${fix}give both or neither`;
}
