import { arg, fix, invalid, mention } from '../kit/errors/errors.ts';

/** The reason for the status in a change of an anomaly or a recommendation; absent: unchanged. */
export interface ReasonInput {
  statusReason?: string | null;
  /** Deprecated alias of `statusReason`. */
  reason?: string | null;
}

/** Bounds of a reason. */
export const reasonRule = { maxLength: 500 } as const;

/** Description of the input field. */
export const statusReasonText =
  'Reason for the status, at most 500 characters; null or blank removes it, as does a new status without a reason.';

/** Options of the deprecated input field. */
export const oldReason = {
  description: 'Deprecated alias of `statusReason`.',
  deprecationReason: 'Use `statusReason`.',
} as const;

/** Parses a reason: trimmed text, null to remove it. Undefined: not given.
 *  @throws {AppError} VALIDATION_ERROR when it is too long, or given under both names */
export function reasonOf({ statusReason, reason }: ReasonInput): string | null | undefined {
  if (statusReason === undefined && reason === undefined) return undefined;
  if (statusReason && reason)
    throw invalid`${arg('reason')} is a deprecated alias of ${mention('status_reason')}${fix}send only ${mention('status_reason')}`;
  const text = (statusReason ?? reason)?.trim() ?? '';
  const { length } = [...text];
  if (length > reasonRule.maxLength)
    throw invalid`${arg(statusReason ? 'status_reason' : 'reason')} must be at most ${reasonRule.maxLength} characters, not ${length}`;
  return text === '' ? null : text;
}

/** Returns the change of a stored reason: a new status removes the old one's reason. */
export function reasonChange(
  reason: string | null | undefined,
  isNewStatus: boolean,
): { statusReason?: string | null } {
  return isNewStatus || reason !== undefined ? { statusReason: reason ?? null } : {};
}
