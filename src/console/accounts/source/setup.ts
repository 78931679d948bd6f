import * as operations from '../../../../schema/operations.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import type { Refusal } from '../../api/refusal.ts';
import { useAnswer } from '../../api/use-api.ts';
import type { Provider } from '../queries.ts';
import type { CredentialKind, Way } from './fields.ts';
import { itemsOf, textOf, type Values } from './values.ts';

const AccountSetupFields = graphql(`
  fragment AccountSetupFields on AccountSetup {
    steps
    policy
    trustPolicy
    trustExternalId
    roles {
      role
      scope
      why
    }
    commands {
      title
      command
    }
    request
  }
`);

const AccountGuide = graphql(operations.accountSetup, [AccountSetupFields]);

/** Setup steps at a provider before its account is connected. */
export type Setup = ResultOf<typeof AccountSetupFields>;

type Names = Omit<VariablesOf<typeof AccountGuide>, 'provider' | 'withoutExport' | 'subscriptionIds' | 'scopes'>;

/** Setup guide, filled in with the names entered so far. */
export interface Guide {
  /** The last valid guide; stays while a name is half typed. */
  readonly setup: Setup | null;
  readonly refusal: Refusal | null;
  again(): void;
}

/** Fetches the setup guide of a method, debounced while typing. */
export function useGuide(
  provider: Provider,
  { way, kind }: { way: Way; kind: CredentialKind | null },
  values: Values,
): Guide {
  const [typed] = useDebouncedValue(values, 400);
  const empty = Object.entries(way.assumed ?? {}).filter(([name]) => textOf(typed, name) === '');
  const settled = { ...typed, ...Object.fromEntries(empty) };
  const fields = [...way.fields, ...(kind?.fields ?? [])].filter(({ kind: of }) => of !== 'secret' && of !== 'file');
  const names: Names = Object.fromEntries(
    fields
      .filter(({ name }) => guided.has(name) && textOf(settled, name) !== '')
      .map(({ name }) => [name, textOf(settled, name)]),
  );
  const of = (name: string) => (fields.some((field) => field.name === name) ? itemsOf(settled, name) : []);
  const answer = useAnswer(AccountGuide, {
    provider,
    ...(way.withoutExport && { withoutExport: true }),
    ...names,
    ...(of('subscriptionIds').length > 0 && { subscriptionIds: of('subscriptionIds') }),
    ...(of('scopes').length > 0 && { scopes: of('scopes') }),
  });
  const [last, setLast] = useState<Setup | null>(null);
  const now = answer.data?.accountSetup ?? null;
  if (now && now !== last) setLast(now);
  return { setup: now ?? last, refusal: answer.refusal, again: answer.again };
}

/** Arguments of the guide: the variables of its GraphQL document. */
const guided: ReadonlySet<string> = new Set(
  AccountGuide.definitions
    .flatMap((one) => ('variableDefinitions' in one ? (one.variableDefinitions ?? []) : []))
    .map(({ variable }) => variable.name.value),
);
