import { Button, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Empty } from './empty.tsx';
import type { Fault } from './address-faults.ts';
import type { UrlState } from './url-state.ts';

interface Props {
  readonly state: UrlState;
  readonly faults: readonly Fault[];
  /** What the page shows, such as "costs". */
  readonly what: string;
}

/** An address that asks what cannot be answered: says what is wrong, and leads on with the rest of it. */
export function BadAddress({ state, faults, what }: Props) {
  const mend = () => {
    state.set(Object.fromEntries(faults.flatMap(({ keys }) => keys).map((key) => [key, null])));
    // The button goes with what was wrong.
    document.getElementById('page-title')?.focus({ preventScroll: true });
  };
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
        action={<Button onClick={mend}>Show {what} without it</Button>}
      />
    </div>
  );
}
