import { Alert, Button, Center, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff, IconHourglass, IconLock, IconSearchOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { Empty } from './empty.tsx';

interface Props {
  readonly refusal: Refusal;
  /** Asks again. */
  readonly again?: (() => void) | undefined;
}

/** What each refusal is called, and its picture. */
function faceOf({ code }: Refusal) {
  switch (code) {
    case 'AWAY':
      return { title: 'The server is not available', Icon: IconCloudOff };
    case 'SERVICE_UNAVAILABLE':
      return { title: 'Not available right now', Icon: IconHourglass };
    case 'RATE_LIMITED':
      return { title: 'Too many requests', Icon: IconHourglass };
    case 'FORBIDDEN':
      return { title: 'Not for your role', Icon: IconLock };
    case 'NOT_FOUND':
    case 'BUDGET_NOT_FOUND':
      return { title: 'Not found', Icon: IconSearchOff };
    case 'VALIDATION_ERROR':
      return { title: 'This cannot be asked', Icon: IconAlertTriangle };
    default:
      return { title: 'This did not work', Icon: IconAlertTriangle };
  }
}

/** A refusal where the answer would stand: what happened, what to do, and a way to try again. */
export function RefusalNote({ refusal, again }: Props) {
  const { title, Icon } = faceOf(refusal);
  // Outside the accounts of a member, and gone, look alike: an empty state, no error.
  if (refusal.status === 404) return <Empty title="No data" text={refusal.message} icon={IconSearchOff} />;
  // What is wrong or not allowed stays so however often it is asked.
  const isFinal = ['FORBIDDEN', 'VALIDATION_ERROR'].includes(refusal.code);
  return (
    <Center p="lg" mih={160}>
      <Stack align="center" gap={6} maw={480} role="alert">
        <Icon size={28} stroke={1.5} color="var(--ink-soft)" aria-hidden />
        <Text fw={600}>{title}</Text>
        <RefusalText refusal={refusal} again={again} />
        {again && !isFinal && (
          <Button variant="default" size="xs" mt={4} onClick={again}>
            Retry
          </Button>
        )}
      </Stack>
    </Center>
  );
}

/** A limit tells when it ends, counts down, and asks again by itself; everything else is the API's own sentence. */
function RefusalText({ refusal, again }: Props) {
  const isLimit = refusal.code === 'RATE_LIMITED' && refusal.retryAfter !== null;
  return (
    <Text size="sm" c="dimmed" ta="center" style={{ overflowWrap: 'anywhere' }}>
      {isLimit ? <Countdown seconds={refusal.retryAfter} again={again} /> : refusal.message}
    </Text>
  );
}

function Countdown({ seconds, again }: { readonly seconds: number | null; readonly again?: (() => void) | undefined }) {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    if (left <= 0) return again?.();
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, again]);
  return <>More was asked in a minute than this server allows. It goes on in {Math.max(left, 0)} s.</>;
}

/** A refusal that concerns the whole window. */
export function RefusalPage({ refusal, again }: Props) {
  const { title } = faceOf(refusal);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack maw={440} gap="sm" role="alert">
        <Title order={1} size="h2">
          {title}
        </Title>
        <RefusalText refusal={refusal} again={again} />
        <Group>{again && <Button onClick={again}>Retry</Button>}</Group>
      </Stack>
    </Center>
  );
}

/** A refusal of something that was just tried, in a form or a dialog. */
export function RefusalAlert({ refusal }: { readonly refusal: Refusal | null }) {
  if (!refusal) return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      role="alert"
      title={alertTitle(refusal)}
    >
      <span style={{ overflowWrap: 'anywhere' }}>{refusal.message}</span>
    </Alert>
  );
}

function alertTitle(refusal: Refusal) {
  return refusal.code === 'VALIDATION_ERROR' || refusal.code === 'CONFLICT' ? undefined : faceOf(refusal).title;
}
