import { Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../parts/copy.tsx';
import { moment } from '../../words/format.ts';
import { words } from '../../words/names.ts';
import classes from './entry.module.css';
import { factsOf } from './facts.ts';
import type { Entry } from './queries.ts';

/** One entry, whole. */
export function EntryDialog({ entry, onClose }: { readonly entry: Entry; onClose(): void }) {
  const { action, timestamp, actor, resourceType, resourceId, ipAddress, userAgent, details } = entry;
  const facts = factsOf(details);
  return (
    <Modal opened onClose={onClose} title={words(action)} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <dl className={classes.facts}>
          <Line name="When">{moment(timestamp)}</Line>
          <Line name="Who">{actor.email ?? 'Nobody signed in'}</Line>
          <Line name="On">
            {words(resourceType)}
            {resourceId && (
              <Text size="xs" c="dimmed">
                {resourceId}
              </Text>
            )}
          </Line>
          <Line name="From">{ipAddress}</Line>
          <Line name="Client">{userAgent || 'It did not say'}</Line>
          {facts.map(({ name, text }) => (
            <Line key={name} name={name}>
              {text}
            </Line>
          ))}
        </dl>
        {facts.length > 0 && <CodeBlock code={JSON.stringify(details, null, 2)} label="details as JSON" />}
      </Stack>
    </Modal>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
