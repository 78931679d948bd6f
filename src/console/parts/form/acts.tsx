import { ActionIcon, Switch, Tooltip } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { TypedDocumentNode } from 'urql';
import { useAct } from '../../api/use-api.ts';
import { Status } from '../page/status.tsx';
import { failed } from './done.ts';

interface Props {
  readonly row: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly mutation: TypedDocumentNode<unknown, { id: string; input: { enabled: boolean } }>;
  readonly mayWrite: boolean;
}

/** Turns an entry of a list on or off at once; a word for those who may not. */
export function OnSwitch({ row: { id, name, enabled }, mutation, mayWrite }: Props) {
  const { act, refusal } = useAct(mutation);
  useEffect(() => {
    if (refusal) failed(`${name} was not changed: ${refusal.message}`);
  }, [refusal, name]);
  if (!mayWrite) return <OnOff isOn={enabled} />;
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={enabled}
      onChange={(event) => void act({ id, input: { enabled: event.currentTarget.checked } })}
    />
  );
}

/** Whether something is on, in a word. */
export function OnOff({ isOn }: { readonly isOn: boolean }) {
  return <Status value={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'quiet'} />;
}

interface IconActProps {
  readonly label: string;
  readonly Icon: TablerIcon;
  /** Shown on hover; the label where absent. */
  readonly tip?: string;
  onClick(): void;
}

/** A button that is an icon, with its name on hover. */
export function IconAct({ label, Icon, tip = label, onClick }: IconActProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
