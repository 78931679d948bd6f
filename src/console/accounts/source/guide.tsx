import { Accordion, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from '../../parts/form/button.tsx';
import { Card } from '../../parts/page/card.tsx';
import { CodeBlock, Copy } from '../../parts/page/copy.tsx';
import { RefusalNote } from '../../parts/page/page.tsx';
import type { Guide as GuideState, Setup } from './setup.ts';
import classes from './source.module.css';

interface Props {
  readonly title: string;
  readonly guide: GuideState;
  /** Fields for names that only the guide needs. */
  readonly children?: ReactNode;
}

/** Setup steps at the provider, filled in with the names entered so far. */
export function Guide({ title, guide: { setup, refusal, again }, children }: Props) {
  return (
    <Card title={title} note="Read-only access.">
      {children && <div className={classes.names}>{children}</div>}
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
  const { steps, trustExternalId, trustPolicy, policy, roles, commands, request } = setup;
  return (
    <Stack gap="md">
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {trustExternalId && (
        <Text size="sm" component="div">
          External id of your organization: <code>{trustExternalId}</code>{' '}
          <Copy value={trustExternalId} label="Copy the external id" />
        </Text>
      )}
      {roles.length > 0 && <Roles roles={roles} />}
      {commands.length > 0 && <Commands commands={commands} />}
      <Accordion variant="separated" multiple chevronPosition="left">
        {trustPolicy && <Json name="Trust policy" value={trustPolicy} />}
        {policy && <Json name="Policy" value={policy} />}
        <Json name="The request, for the API" value={request} />
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
      <ul className={classes.roles}>
        {roles.map(({ role, scope, why }) => (
          <li key={`${role} ${scope}`}>
            <Text size="sm" component="div">
              <strong>{role}</strong> on <code>{scope}</code>
            </Text>
            <Muted size="xs">{why}</Muted>
          </li>
        ))}
      </ul>
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

function Json({ name, value }: { readonly name: string; readonly value: object }) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>
        <Text component="span" size="sm" fw={550}>
          {name}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <CodeBlock code={JSON.stringify(value, null, 2)} label={name.toLowerCase()} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}
