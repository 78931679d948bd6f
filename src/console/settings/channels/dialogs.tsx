import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/use-api.ts';
import { Muted } from '../../parts/form/menu.tsx';
import { done, FormDialog } from '../../parts/form/dialog.tsx';
import { PasswordField, TermField, TextField, Toggle } from '../../parts/form/fields.tsx';
import { changesSince } from '../../parts/form/changed-fields.ts';
import { useFields } from '../../parts/form/form.tsx';
import { SecretDialog } from '../../parts/page/secret-dialog.tsx';
import { nameFault } from '../../sign-in/faults.ts';
import { channelKinds, CreateChannel, RotateSecret, UpdateChannel, type Channel } from './queries.ts';

/** Signing secret that is shown once. */
export interface ShownSecret {
  readonly name: string;
  readonly secret: string;
}

interface Fields {
  readonly name: string;
  readonly kind: Channel['kind'];
  readonly url: string;
  readonly anomalyAlerts: boolean;
}

const names = { name: ['name', 'The name'], url: ['url', 'The webhook URL'] } as const;

interface NewProps {
  onSecret(secret: ShownSecret): void;
  onClose(): void;
}

/** Creates a channel. */
export function NewChannelDialog({ onSecret, onClose }: NewProps) {
  const create = useAct(CreateChannel);
  const { form, set, field, check, rest } = useFields<Fields, 'name' | 'url'>(
    { name: '', kind: 'SLACK', url: '', anomalyAlerts: false },
    ({ name, url }) => ({
      name: nameFault(name, 'a name for the channel'),
      url: url.trim() === '' ? 'Enter the webhook URL' : null,
    }),
    { of: create, names },
  );
  const submit = async () => {
    if (!check()) return;
    const made = (await create.act({ input: { ...form, name: form.name.trim(), url: form.url.trim() } }))
      ?.createChannel;
    if (!made) return;
    onClose();
    if (made.secret === null) done(`Channel ${made.name} created`);
    else onSecret({ name: made.name, secret: made.secret });
  };
  const { example } = channelKinds[form.kind];
  return (
    <FormDialog
      title="New channel"
      verb="Create channel"
      of={{ isBusy: create.isBusy, refusal: rest }}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        withAsterisk
        placeholder="Cloud costs"
        data-autofocus
        maxLength={100}
        {...field('name')}
      />
      <TermField label="Kind" terms={channelKinds} {...field('kind')} />
      <PasswordField
        label="Webhook URL"
        withAsterisk
        description="Anyone with this URL can post to the channel. It is stored encrypted and not shown again."
        placeholder={example}
        autoComplete="new-password"
        data-1p-ignore
        {...field('url')}
      />
      <AnomaliesToggle {...field('anomalyAlerts')} />
    </FormDialog>
  );
}

/** Changes a channel. Its kind stays, and its webhook URL unless a new one is entered. */
export function EditChannelDialog({ channel, onClose }: { readonly channel: Channel; onClose(): void }) {
  const update = useAct(UpdateChannel);
  // Keeps the first version, on which the edits are based: the channel is refetched during editing.
  const [{ id, name, kind, anomalyAlerts, updatedAt }] = useState(channel);
  const [initial] = useState<Omit<Fields, 'kind'>>({ name, url: '', anomalyAlerts });
  const { form, set, field, check, rest } = useFields<Omit<Fields, 'kind'>, 'name' | 'url'>(
    initial,
    (now) => ({ name: nameFault(now.name, 'a name for the channel') }),
    { of: update, names },
  );
  const submit = async () => {
    if (!check()) return;
    const input = changesSince(updatedAt, initial, { ...form, name: form.name.trim(), url: form.url.trim() });
    if (Object.keys(input).length > 0) {
      const changed = (await update.act({ id, input }))?.updateChannel;
      if (!changed) return;
      done(`Channel ${changed.name} saved`);
    }
    onClose();
  };
  return (
    <FormDialog
      title="Edit channel"
      verb="Save changes"
      of={{ isBusy: update.isBusy, refusal: rest }}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" withAsterisk data-autofocus maxLength={100} {...field('name')} />
      <PasswordField
        label="New webhook URL"
        description={`${channelKinds[kind].label}. Leave it empty to keep the current URL.`}
        placeholder={channelKinds[kind].example}
        autoComplete="new-password"
        data-1p-ignore
        {...field('url')}
      />
      <AnomaliesToggle {...field('anomalyAlerts')} />
    </FormDialog>
  );
}

interface ToggleProps {
  readonly value: boolean;
  onChange(isOn: boolean): void;
}

function AnomaliesToggle({ value, onChange }: ToggleProps) {
  return (
    <Toggle
      label="Post anomalies"
      description="Anomalies of all accounts. Budgets, alert rules and schedules have their own channels."
      checked={value}
      onChange={onChange}
    />
  );
}

interface RotateProps extends NewProps {
  readonly channel: Channel;
}

/** Replaces the signing secret of a webhook, after a confirmation. */
export function RotateDialog({ channel: { id, name }, onSecret, onClose }: RotateProps) {
  const rotate = useAct(RotateSecret);
  const submit = async () => {
    const secret = (await rotate.act({ id }))?.rotateChannelSecret?.secret;
    if (secret === undefined) return;
    onClose();
    onSecret({ name, secret });
  };
  return (
    <FormDialog
      title="Replace the signing secret?"
      verb="Replace secret"
      danger
      of={rotate}
      onSubmit={submit}
      onClose={onClose}
    >
      <Muted>
        Messages to “{name}” are signed with the new secret from now on. Your server will reject them until you update
        its secret.
      </Muted>
    </FormDialog>
  );
}

interface SecretProps {
  readonly shown: ShownSecret;
  onClose(): void;
}

/** Shows a signing secret once. */
export function SigningSecretDialog({ shown: { name, secret }, onClose }: SecretProps) {
  return (
    <SecretDialog title={`Signing secret of ${name}`} secret={secret} label="the secret" onClose={onClose}>
      <Muted>
        Verify the header <code>webhook-signature</code> of each message with it, for example with a{' '}
        <Anchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" underline="always" inherit>
          Standard Webhooks library
        </Anchor>
        .
      </Muted>
    </SecretDialog>
  );
}
