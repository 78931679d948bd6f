import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload, IconKey } from '@tabler/icons-react';
import { failed } from '../../parts/done.ts';
import classes from './source.module.css';
import { parseKey } from './values.ts';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly fault: string | null;
  onChange(value: string): void;
}

/** Google's JSON key, chosen as a file or pasted. Once it is one, whose it is stands in its place: the key is not shown. */
export function KeyFile(props: Props) {
  const email = parseKey(props.value)?.['client_email'];
  return typeof email === 'string' ? <Taken {...props} email={email} /> : <Ask {...props} />;
}

function Taken({ label, email, fault, onChange }: Props & { readonly email: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <div className={classes.key}>
        <Group gap={8} wrap="nowrap" miw={0}>
          <IconKey size={16} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Key of {email}
          </Text>
        </Group>
        <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
          Take another
        </Button>
      </div>
      {fault && (
        <Text size="xs" c="var(--bad)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

function Ask({ name, label, value, fault, onChange }: Props) {
  return (
    <Stack gap={6}>
      <Textarea
        name={name}
        label={label}
        description="Paste the content of key.json, or choose the file."
        placeholder='{ "type": "service_account", … }'
        rows={4}
        value={value}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Choose onChange={onChange} />
    </Stack>
  );
}

/** Most bytes that are read: a key has about 2,400. */
const most = 64_000;

function Choose({ onChange }: Pick<Props, 'onChange'>) {
  const take = async (file: File | null) => {
    if (!file) return;
    if (file.size > most) return failed(`${file.name} is too large to be the key of a service account.`);
    onChange(await file.text());
  };
  return (
    <div>
      <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
        {(props) => (
          <Button {...props} size="compact-sm" variant="default" leftSection={<IconFileUpload size={15} aria-hidden />}>
            Choose a file
          </Button>
        )}
      </FileButton>
    </div>
  );
}
