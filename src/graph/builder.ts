import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import ScopeAuthPlugin, { AuthScopeFailureType, type AuthFailure } from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../../prisma/generated/pothos.ts';
import { getDatamodel } from '../../prisma/generated/pothos.ts';
import { AppError, fix, forbidden, message, operation, unauthorized } from '../kit/errors/errors.ts';
import { roleForbids } from '../tenancy/auth/scope.ts';
import type { Day, Month } from '../kit/time/period.ts';
import { can, type Permission } from '../tenancy/auth/permissions.ts';
import type { Context } from './context.ts';
import { loadedColumns } from './loaded-columns.ts';
import { places } from './places.ts';
import { DateTimeScalar, DayScalar, DecimalScalar, JsonScalar, MonthScalar } from './scalars.ts';

/** Limits of one GraphQL operation; `surfaces/graphql/limits.ts` enforces them. The largest console query has at most two thirds
 *  of the complexity. */
export const queryLimits = {
  depth: 10,
  breadth: 400,
  complexity: 20_000,
  aliases: 50,
  directives: 50,
  tokens: 4000,
} as const;

/** The schema builder to which each area adds its types and root fields. It imports none of them. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  AuthScopes: { signedIn: boolean; enrolling: boolean; can: Permission; interactive: boolean; writing: boolean };
  DefaultAuthStrategy: 'all';
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    Date: { Input: Day; Output: string };
    Month: { Input: Month; Output: string };
    DateTime: { Input: Date; Output: Date };
    Decimal: { Input: number; Output: { toString(): string } };
    JSON: { Input: Record<string, unknown>; Output: object };
  };
}>({
  // Authorization wraps everything else, so it comes first.
  plugins: [ScopeAuthPlugin, places, loadedColumns, PrismaPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    defaultStrategy: 'all',
    cacheKey: (value) => JSON.stringify(value),
    authScopes: (ctx) => ({
      // The only check that rejects callers who lack the second factor that their organization requires.
      signedIn: ctx.viewer !== null && !ctx.viewer.twoFactorSetupRequired,
      // Used instead of signedIn for the operations needed to set one up.
      enrolling: ctx.viewer !== null,
      can: (permission) => ctx.viewer !== null && can(ctx.viewer.role, permission),
      // Security and ownership operations: only for users with an interactive session, never for API tokens.
      interactive: ctx.viewer !== null && ctx.viewer.token === null,
      // Applied to every mutation; see mutationType below.
      writing: ctx.viewer?.token?.readOnly !== true,
    }),
    unauthorizedError: (_parent, ctx, _info, result) => refusal(ctx, failedScopes(result.failure)),
  },
  prisma: { client: (ctx) => ctx.deps.db, dmmf: getDatamodel(), onUnusedQuery: 'warn' },
  // Complexity is checked before an operation runs, so not again in each root field.
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10, disabled: true },
});

builder.addScalarType('Date', DayScalar);
builder.addScalarType('Month', MonthScalar);
builder.addScalarType('DateTime', DateTimeScalar);
builder.addScalarType('Decimal', DecimalScalar);
builder.addScalarType('JSON', JsonScalar);

builder.queryType({
  description:
    'All queries. Every field is limited to the caller’s organization and accounts.\n\n' +
    'Errors have `extensions` with `code`, `status` (the HTTP status of the same error in REST) and, if a part of the request ' +
    'is invalid, `field`: an argument such as `filters.include[1].values[0]` or `input.name`, a selected field such as ' +
    '`budgets.data.name`, or `query`.',
});
builder.mutationType({
  description:
    'All changes. Connected cloud accounts are never changed.\n\n' +
    'A mutation that creates or updates a record takes its values as `input`; in an update, omitted fields stay ' +
    'unchanged, and null clears a field. Every other mutation is an action and takes plain arguments.',
  // The only check that prevents writes with a read-only token: it applies to every field in addition to the field's
  // own scopes.
  authScopes: { writing: true },
});

/** The missing scopes that caused a rejection. */
function failedScopes(failure: AuthFailure): readonly string[] {
  if (failure.kind === AuthScopeFailureType.AuthScope) return [String(failure.scope)];
  if ('failures' in failure) return failure.failures.flatMap(failedScopes);
  return [];
}

function refusal(ctx: Context, lacking: readonly string[]): AppError {
  if (!ctx.viewer) return unauthorized`Authentication is missing or no longer valid${fix}sign in again`;
  // Reported first: nothing else helps before this is fixed.
  if (ctx.viewer.twoFactorSetupRequired) return setupRequired();
  if (lacking.includes('writing'))
    return forbidden`The API token is read-only${fix}use a token with write access, or sign in`;
  if (lacking.includes('interactive'))
    return forbidden`API tokens cannot be used for this${fix}sign in with email and password, or with a passkey`;
  return roleForbids(ctx.viewer.role);
}

/** The error for callers who lack the second factor that their organization requires. */
export function setupRequired(): AppError {
  return new AppError(
    'TWO_FACTOR_SETUP_REQUIRED',
    message`The organization requires a second factor${fix}set up TOTP (${operation('POST /auth/2fa/setup')}) or a passkey (${operation('POST /auth/webauthn/register')}) first`,
  );
}
