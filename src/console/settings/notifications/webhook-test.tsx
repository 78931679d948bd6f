import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { TestWebhook } from './queries.ts';

interface Result {
  readonly delivered: boolean;
  readonly reason: string | null;
}

/** Posts a test message, and tells whether it arrived. */
export function WebhookTest() {
  const test = useAct(TestWebhook);
  const [result, setResult] = useState<Result | null>(null);
  const send = async () => {
    setResult(null);
    const data = await test.act({});
    setResult(data?.testSlack ?? null);
  };
  return (
    <>
      <Group gap="sm">
        <Button loading={test.isBusy} onClick={() => void send()}>
          Send a test message
        </Button>
        <Text size="sm" role="status" c={result?.delivered === false ? 'var(--bad)' : 'var(--good)'}>
          {result &&
            (result.delivered ? 'It arrived.' : `It did not arrive: ${result.reason ?? 'the server did not say why'}`)}
        </Text>
      </Group>
      <RefusalAlert refusal={test.refusal} />
    </>
  );
}
