import { Modal, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../parts/copy.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { moment } from '../../words/format.ts';
import { words } from '../../words/names.ts';
import { factsOf } from './facts.ts';
import type { Entry } from './queries.ts';

/** One entry, whole. */
export function EntryDialog({ entry, onClose }: { readonly entry: Entry; onClose(): void }) {
  const { action, timestamp, actor, ipAddress, userAgent, details } = entry;
  const said = factsOf(details).map(({ name, text }): Fact => [name, text]);
  return (
    <Modal opened onClose={onClose} title={words(action)} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <Facts
          facts={[
            ['When', moment(timestamp)],
            ['Who', actor.email ?? 'Nobody signed in'],
            ['On', <Thing key="on" entry={entry} />],
            ['IP address', ipAddress],
            ['User agent', userAgent || 'It sent none'],
            ...said,
          ]}
        />
        {said.length > 0 && <CodeBlock code={JSON.stringify(details, null, 2)} label="details as JSON" />}
      </Stack>
    </Modal>
  );
}

function Thing({ entry: { resourceType, resourceId } }: { readonly entry: Entry }) {
  return (
    <>
      {words(resourceType)}
      {resourceId && (
        <Text size="xs" c="dimmed">
          {resourceId}
        </Text>
      )}
    </>
  );
}
