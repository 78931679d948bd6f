import { Group, Loader, Stack, Text, Accordion, Skeleton, Title, Divider, List } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { save } from '../../parts/list/csv.tsx';
import { Card } from '../../parts/page/card.tsx';
import { CodeBlock, Copy } from '../../parts/page/copy.tsx';
import { RefusalAlert, RefusalNote } from '../../parts/page/page.tsx';
import { providerName } from '../../../kit/text/provider-name.ts';
import type { Provider } from '../queries.ts';
import type { CredentialKind, Way } from './fields.ts';
import { FieldsGrid, WaysChoice } from './fields-grid.tsx';
import {
  useSourceForm,
  type SourceFormInput,
  type SourceFormState,
  type Guide as GuideState,
  type Setup,
} from './use-source-form.ts';
import { connectedAlready } from './values.ts';
import { ways } from './ways.ts';

interface Props extends SourceFormInput {
  /** Label of the submit button. */
  readonly verb: string;
  /** Target of the Cancel link. */
  readonly back: string;
}

/** Guided form: billing data location, setup steps at the provider, credentials. */
export function SourceForm(props: Props) {
  const { provider, hasSettings, isBusy, verb, back } = props;
  const source = useSourceForm(props);
  const { form, kind, guide, values, parts, faults, change, submit } = source;
  const hasGuide = !source.way.source && (kind !== null || props.wayNow === null);
  const isAlone = !hasSettings && !hasGuide;
  const numbered = (number: number, title: string) => (isAlone ? title : `${number}. ${title}`);
  const guideAt = hasSettings ? 2 : 1;
  return (
    <form ref={form} onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="md">
        {hasSettings && <Settings title={numbered(1, 'Billing data')} provider={provider} source={source} />}
        {hasGuide && (
          <Guide title={numbered(guideAt, `Prepare ${preparedName(provider)}`)} guide={guide}>
            {(parts.names.length > 0 || kind !== null) && (
              <Stack gap="md">
                <Kinds source={source} />
                {parts.names.length > 0 && (
                  <FieldsGrid fields={parts.names} values={values} faults={faults} onChange={change} />
                )}
              </Stack>
            )}
          </Guide>
        )}
        <Last title={numbered(hasGuide ? guideAt + 1 : guideAt, verb)} source={source} hasKinds={!hasGuide}>
          <Sending source={source} isBusy={isBusy}>
            <Act label={verb} primary type="submit" loading={isBusy} />
            <Act label="Cancel" href={back} />
          </Sending>
        </Last>
      </Stack>
    </form>
  );
}

interface LastProps {
  readonly title: string;
  readonly source: SourceFormState;
  /** Whether the kind of credentials is chosen here. */
  readonly hasKinds: boolean;
  readonly children: ReactNode;
}

/** Last section: remaining fields and the buttons, or only the buttons if no fields remain. */
function Last({ title, source, hasKinds, children }: LastProps) {
  const { parts, values, faults, change } = source;
  if (parts.credentials.length === 0) return <Stack gap="sm">{children}</Stack>;
  return (
    <Card title={title}>
      <Stack gap="md">
        {hasKinds && <Kinds source={source} />}
        <FieldsGrid fields={parts.credentials} values={values} faults={faults} onChange={change} />
        {children}
      </Stack>
    </Card>
  );
}

function preparedName(provider: Provider): string {
  return provider === 'FOCUS' ? 'the FOCUS files' : providerName(provider);
}

interface SettingsProps {
  readonly title: string;
  readonly provider: Provider;
  readonly source: SourceFormState;
}

function Settings({ title, provider, source }: SettingsProps) {
  const { way, state, parts, values, faults, change, guide } = source;
  return (
    <Card title={title}>
      <Stack gap="md">
        <WaysChoice
          label="Source"
          choices={ways[provider]}
          value={way.key}
          obstacles={guide.setup?.obstacles ?? []}
          onChange={(key) => state.set({ way: key, with: null }, { replace: true })}
        />
        <FieldsGrid fields={parts.settings} values={values} faults={faults} onChange={change} />
      </Stack>
    </Card>
  );
}

/** Moves the kinds of credentials that the server cannot use to the end. */
function possibleFirst(kinds: Way['credentials'], obstacles: Setup['obstacles']): Way['credentials'] {
  const isOpen = ({ needs }: CredentialKind) => !obstacles.some(({ field }) => field === needs);
  return [...kinds.filter(isOpen), ...kinds.filter((kind) => !isOpen(kind))];
}

function Kinds({ source: { way, kind, state, guide } }: { readonly source: SourceFormState }) {
  if (!kind) return null;
  return (
    <WaysChoice
      label="Credentials"
      choices={possibleFirst(way.credentials, guide.setup?.obstacles ?? [])}
      value={kind.key}
      obstacles={guide.setup?.obstacles ?? []}
      onChange={(key) => state.set({ with: key }, { replace: true })}
    />
  );
}

interface SendingProps {
  readonly source: SourceFormState;
  readonly isBusy: boolean;
  /** Buttons. */
  readonly children: ReactNode;
}

/** Error of the last attempt, the buttons, and progress while the server verifies the source. */
function Sending({ source, isBusy, children }: SendingProps) {
  const other = connectedAlready(source.rawRefusal);
  return (
    <>
      {!isBusy && <RefusalAlert refusal={source.refusal} />}
      {!isBusy && other && (
        <Text size="sm">
          <Link href={`/accounts/${other}`}>Go to the connected account</Link>
        </Text>
      )}
      <Group gap="xs">{children}</Group>
      <Group gap={8} role="status">
        {isBusy && (
          <>
            <Loader size={14} aria-hidden />
            <Muted>Checking access to the billing data. This takes up to 30 seconds.</Muted>
          </>
        )}
      </Group>
    </>
  );
}

interface GuideProps {
  readonly title: string;
  readonly guide: GuideState;
  /** Fields for names that only the guide needs. */
  readonly children?: ReactNode;
}

/** Setup steps at the provider, filled in with the names entered so far. */
function Guide({ title, guide: { setup, refusal, again }, children }: GuideProps) {
  return (
    <Card title={title} note="Read-only access.">
      {children && (
        <>
          {children}
          <Divider my="md" color="var(--line)" />
        </>
      )}
      {setup ? (
        <SetupSteps setup={setup} />
      ) : refusal ? (
        <RefusalNote refusal={refusal} again={again} />
      ) : (
        <Skeleton height={240} aria-label="Loading" />
      )}
    </Card>
  );
}

function SetupSteps({ setup }: { readonly setup: Setup }) {
  const { steps, trustExternalId, trustPolicy, policy, roles, commands, templates, request } = setup;
  return (
    <Stack gap="md">
      <List type="ordered" size="sm" spacing={8} style={{ overflowWrap: 'anywhere' }}>
        {steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {trustExternalId && trustPolicy && (
        <Text size="sm" component="div">
          External ID of your organization: <code>{trustExternalId}</code>{' '}
          <Copy value={trustExternalId} label="Copy the external ID" />
        </Text>
      )}
      {roles.length > 0 && <Roles roles={roles} />}
      {commands.length > 0 && <Commands commands={commands} />}
      <Accordion variant="separated" multiple chevronPosition="left">
        {templates.map(({ title, name, content }) => (
          <Template key={name} title={title} name={name} content={content} />
        ))}
        {trustPolicy && <Json name="Trust policy" value={trustPolicy} />}
        {policy && <Json name="Policy" value={policy} />}
        <Json name="Request to the API" value={request} />
      </Accordion>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function Roles({ roles }: Pick<Setup, 'roles'>) {
  return (
    <Part title="Roles">
      <List listStyleType="none" size="sm" spacing={8} style={{ overflowWrap: 'anywhere' }}>
        {roles.map(({ role, scope, why }) => (
          <List.Item key={`${role} ${scope}`}>
            <strong>{role}</strong> on <code>{scope}</code>
            <Muted size="xs">{why}</Muted>
          </List.Item>
        ))}
      </List>
    </Part>
  );
}

function Commands({ commands }: Pick<Setup, 'commands'>) {
  return (
    <Part title="Commands">
      {commands.map(({ title, command }) => (
        <div key={`${title} ${command}`}>
          <Muted mb={4} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Muted>
          <CodeBlock code={command} label={`command: ${title}`} />
        </div>
      ))}
    </Part>
  );
}

function Template({ title, name, content }: Setup['templates'][number]) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>
        <Text component="span" size="sm" fw={550}>
          {title}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs" align="flex-start">
          <Act
            label={`Download ${name}`}
            Icon={IconDownload}
            size="compact-sm"
            onClick={() => save(new Blob([content], { type: 'text/plain' }), name)}
          />
          <CodeBlock code={content} label={name} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Json({ name, value }: { readonly name: string; readonly value: object }) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>
        <Text component="span" size="sm" fw={550}>
          {name}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <CodeBlock
          code={JSON.stringify(value, null, 2)}
          label={`${name.charAt(0).toLowerCase()}${name.slice(1)} as JSON`}
        />
      </Accordion.Panel>
    </Accordion.Item>
  );
}
