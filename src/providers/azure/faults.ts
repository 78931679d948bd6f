import { z } from 'zod';
import { AppError, fix, mention, message, type Statement } from '../../kit/errors/errors.ts';
import { retryAfterMs } from '../faults.ts';
import type { AzureOperation } from './operations.ts';
import { azurePermissions } from './permissions.ts';

/** An Azure Resource Manager error, with a message for the account's owner. */
export class AzureRefusal extends AppError {
  readonly refusedStatus: number;
  /** ARM's error code: `AuthorizationFailed`. */
  readonly refusedCode: string;
  /** ARM's error text: one or more sentences. */
  readonly refusedText: string;

  constructor(
    content: string | Statement,
    refused: { readonly status: number; readonly code: string; readonly text: string },
  ) {
    super('VALIDATION_ERROR', content);
    this.refusedStatus = refused.status;
    this.refusedCode = refused.code;
    this.refusedText = refused.text;
  }

  /** Whether a permission is missing; another request may succeed. */
  get isDenied(): boolean {
    return this.refusedStatus === 403 || this.refusedStatus === 401;
  }
}

const errorShape = z.object({
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }),
});

/** Context of a request, for error messages. */
export interface AzureAsked {
  readonly operation: AzureOperation;
  /** Path without query. */
  readonly path: string;
  /** Application id of the service principal. */
  readonly clientId: string;
}

/** Converts a response other than 200 and 204 to an error.
 *  @param body as JSON, null if it is not JSON */
export function refusalOf(status: number, body: unknown, { operation, path, clientId }: AzureAsked): AzureRefusal {
  const fault = errorShape.safeParse(body).data?.error;
  const code = (fault?.code ?? '').replace(/[^\w.]/g, '').slice(0, 80);
  const what = `${code || 'no code'}, ${status}`;
  const scope = scopeOf(path);
  const text = (fault?.message ?? '').slice(0, 300);
  const refused = { status, code, text };
  if (status === 401)
    return new AzureRefusal(`Azure does not accept the token of application "${clientId}" (${what})`, refused);
  if (code === 'SubscriptionNotFound' || code === 'InvalidSubscriptionId')
    return new AzureRefusal(
      message`"${scope}" is not in the service principal's tenant (${what})${fix}correct ${mention('settings.subscription_ids')}`,
      refused,
    );
  if (status === 403) {
    const { permission } = operation;
    const role = azurePermissions.find((each) => each.permission === permission)?.role ?? 'Reader';
    return new AzureRefusal(
      message`Azure refuses ${permission === null ? 'read access' : `"${permission}"`} on "${scope}" (${what})${fix}assign role "${role}" there to application "${clientId}"; it can take some minutes to take effect`,
      refused,
    );
  }
  if (status === 404)
    return new AzureRefusal(message`"${scope}" does not exist (${what})${fix}correct the settings`, refused);
  return new AzureRefusal(`Azure refuses the request on "${scope}" (${what})${text ? `: ${text}` : ''}`, refused);
}

/** Returns the scope of a path: `/subscriptions/…` for `/subscriptions/…/providers/Microsoft.CostManagement/query`. */
function scopeOf(path: string): string {
  return /^(.+)\/providers\/Microsoft\.CostManagement\/query$/i.exec(path)?.[1] ?? path.replace(/\/[^/]+$/, '');
}

/** Returns the longest wait in response headers, in milliseconds; null: none. Cost Management has one header per quota (query
 *  units, entity, tenant, client type), and Resource Graph uses a time span. */
export function waitMsOf(headers: Headers, now: number): number | null {
  const waits = [...headers].flatMap(([name, value]) => {
    if (name === 'retry-after' || /^x-ms-ratelimit-.+-retry-after$/.test(name)) return retryAfterMs(value, now) ?? [];
    if (name !== 'x-ms-user-quota-resets-after') return [];
    const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+)/.exec(value) ?? [];
    return seconds === undefined ? [] : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  });
  return waits.length === 0 ? null : Math.max(...waits);
}
