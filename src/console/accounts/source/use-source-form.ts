import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf, type VariablesOf } from '../../api/graphql.ts';
import { isRecord, type Refusal } from '../../api/refusal.ts';
import { useAnswer } from '../../api/use-api.ts';
import { useUrlState, type UrlState } from '../../parts/list/url-state.ts';
import type { Provider } from '../queries.ts';
import type { CredentialKind, Field, Way } from './fields.ts';
import { fieldsOf, ways } from './ways.ts';
import { faultsOf, plainRefusal, refusedField, textOf, wayNamed, type Values, itemsOf } from './values.ts';

/** Form input on submit. */
export interface Filled {
  readonly way: Way;
  /** Null if the method needs no credentials or the form does not ask for them. */
  readonly kind: CredentialKind | null;
  readonly values: Values;
}

/** Configuration of the guided form. */
export interface SourceFormInput {
  readonly provider: Provider;
  /** Current connection method of the account; null for a new one. */
  readonly wayNow: Way | null;
  readonly start: Values;
  /** Shows the name field, for a new account. */
  readonly hasName: boolean;
  /** Shows the billing data settings. */
  readonly hasSettings: boolean;
  /** Whether the form asks for credentials, given the current values. */
  asksCredentials(values: Values): boolean;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** @returns whether it succeeded; if so, the form clears its secrets */
  onSubmit(filled: Filled): Promise<boolean>;
}

/** Field for the account's name. */
const nameField: Field = { name: 'name', part: 'guide', label: 'Name', help: 'Display name in Costkeep.' };

/** State of the guided form: method, values, validation errors and setup guide. */
export function useSourceForm(input: SourceFormInput) {
  const { provider, wayNow, start, hasName, hasSettings, isBusy, refusal, onSubmit } = input;
  const form = useRef<HTMLFormElement>(null);
  const state = useUrlState();
  const [typed, setTyped] = useState<Values>(start);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const way = hasSettings || !wayNow ? wayNamed(provider, state.one('way') ?? wayNow?.key ?? null) : wayNow;
  const kind = input.asksCredentials(ownOf(way, typed)) ? kindNamed(way, state.one('with')) : null;
  const guide = useGuide(provider, { way, kind }, typed);
  useOpenWay({ provider, way, kind, guide, isNew: wayNow === null }, state);
  const values = withSuggestion(typed, guide.setup);
  const parts = partsOf({ way, kind, hasName, hasSettings });
  const all = [...parts.settings, ...parts.names, ...parts.credentials];
  const sentRefused = refusedField(refusal, all);
  const refused = sentRefused ?? refusedField(guide.refusal, all);
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const refusedName = sentRefused?.name ?? null;
  useEffect(() => {
    if (refusedName) focus(refusedName);
  }, [refusal, refusedName]);
  const change = (name: string, value: string) => {
    setTyped((before) => ({ ...before, [name]: value }));
    const { alternative = '' } = all.find((field) => field.name === name) ?? {};
    setFaults(({ [name]: _corrected, [alternative]: _needless, ...others }) => others);
  };
  const send = async () => {
    const found = faultsOf(all, values);
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) return focus(first);
    if (await onSubmit({ way, kind, values })) setTyped((before) => withoutSecrets(before, parts.credentials));
    return undefined;
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isBusy) void send();
  };
  const shownFaults: Readonly<Record<string, string>> = { ...(refused && { [refused.name]: refused.text }), ...faults };
  const refusals = { refusal: plainRefusal(refusal, [...all, ...fieldsOf(provider)]), rawRefusal: refusal };
  return { form, state, way, kind, guide, values, parts, faults: shownFaults, ...refusals, change, submit };
}

/** State of the guided form. */
export type SourceFormState = ReturnType<typeof useSourceForm>;

interface Shape {
  readonly way: Way;
  readonly kind: CredentialKind | null;
  readonly hasName: boolean;
  readonly hasSettings: boolean;
}

function partsOf({ way, kind, hasName, hasSettings }: Shape) {
  return {
    settings: hasSettings ? way.fields.filter(({ part }) => part === 'settings') : [],
    names: way.fields.filter(({ part }) => part === 'guide'),
    credentials: [...(hasName ? [nameField] : []), ...(kind?.fields ?? [])],
  };
}

function kindNamed({ credentials }: Way, key: string | null): CredentialKind | null {
  return credentials.find((kind) => kind.key === key) ?? credentials[0] ?? null;
}

/** Returns only the values that belong to a method; hidden fields may hold others. */
function ownOf({ fields }: Way, values: Values): Values {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(values, name)]));
}

/** Fills in the role ARN that the commands will create, once the account ID is known. */
function withSuggestion(values: Values, setup: Setup | null): Values {
  const { credentials } = setup?.request ?? {};
  const arn = isRecord(credentials) ? credentials['role_arn'] : null;
  const isKnown = values['roleArn'] === undefined && textOf(values, 'awsAccountId') !== '' && typeof arn === 'string';
  return isKnown && !arn.includes('ACCOUNT_ID') ? { ...values, roleArn: arn } : values;
}

/** Replaces an unavailable default choice with the first one that the server can offer. */
function useOpenWay(
  {
    provider,
    way,
    kind,
    guide,
    isNew,
  }: { provider: Provider; way: Way; kind: CredentialKind | null; guide: Guide; isNew: boolean },
  state: UrlState,
): void {
  const { obstacles = [] } = guide.setup ?? {};
  const isOpen = ({ needs }: Pick<Way | CredentialKind, 'needs'>) => !obstacles.some(({ field }) => field === needs);
  const other = isNew && !isOpen(way) && !state.has('way') ? ways[provider].find(isOpen)?.key : undefined;
  const others = kind && !isOpen(kind) && !state.has('with') ? way.credentials.find(isOpen)?.key : undefined;
  useEffect(() => {
    if (other !== undefined) state.set({ way: other }, { replace: true });
    else if (others !== undefined) state.set({ with: others }, { replace: true });
  }, [other, others, state]);
}

function withoutSecrets(values: Values, fields: readonly Field[]): Values {
  const secret = fields.filter(({ kind }) => kind === 'secret' || kind === 'file').map(({ name }) => [name, '']);
  return { ...values, ...Object.fromEntries(secret) };
}

const AccountGuide = graphql(operations.accountSetup, [graphql(operations.AccountSetupFields)]);

/** Setup steps at a provider before its account is connected. */
export type Setup = RecordOf<typeof AccountGuide>;

type Names = Omit<
  VariablesOf<typeof AccountGuide>,
  'provider' | 'withoutExport' | 'withAccessKey' | 'subscriptionIds' | 'scopes'
>;

/** Setup guide, filled in with the names entered so far. */
export interface Guide {
  /** The last valid guide; stays while a name is half typed. */
  readonly setup: Setup | null;
  readonly refusal: Refusal | null;
  again(): void;
}

/** Fetches the setup guide of a method, debounced while typing. */
function useGuide(provider: Provider, { way, kind }: { way: Way; kind: CredentialKind | null }, values: Values): Guide {
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
    ...(provider === 'AWS' && kind?.key === 'keys' && { withAccessKey: true }),
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
