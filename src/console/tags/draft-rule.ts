/** A rule as the form holds it. */
export interface DraftRule {
  /** Tells rules apart while they are written. */
  readonly id: number;
  readonly key: string;
  readonly required: boolean;
  readonly allowedValues: readonly string[];
  /** Empty: any value. */
  readonly pattern: string;
  readonly caseSensitive: boolean;
}

/** Whether nothing could break it. */
export function ruleIsEmpty({ required, allowedValues, pattern, caseSensitive }: DraftRule): boolean {
  return !required && allowedValues.length === 0 && pattern === '' && !caseSensitive;
}
