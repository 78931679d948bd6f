import { Button, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Empty } from '../parts/empty.tsx';
import type { UrlState } from '../parts/url-state.ts';
import type { Fault } from './question.ts';

interface Props {
  readonly state: UrlState;
  readonly faults: readonly Fault[];
}

/** An address that asks what cannot be answered: says what is wrong, and leads on with the rest of it. */
export function BadAddress({ state, faults }: Props) {
  const mend = () => state.set(Object.fromEntries(faults.flatMap(({ keys }) => keys).map((key) => [key, null])));
  return (
    <div role="alert">
      <Empty
        icon={IconAlertTriangle}
        title="This address cannot be shown"
        text={
          <List size="sm" listStyleType="none">
            {faults.map(({ text }) => (
              <List.Item key={text} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </List.Item>
            ))}
          </List>
        }
        action={<Button onClick={mend}>Show costs without it</Button>}
      />
    </div>
  );
}
