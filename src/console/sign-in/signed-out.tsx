import { Button, Center, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { post, refused } from '../api/rest.ts';
import { enter } from '../api/session.ts';

/** Not written yet. */
export function SignedOut({ because }: { readonly because: string | null }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const result = await refused(post('/auth/login', { email, password }));
    if ('value' in result) enter(result.value);
  };
  return (
    <Center component="main" mih="100vh">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {because}
          <TextInput label="Email" name="email" value={email} onChange={(e) => setEmail(e.currentTarget.value)} />
          <PasswordInput
            label="Password"
            name="password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
          />
          <Button type="submit">Log in</Button>
        </Stack>
      </form>
    </Center>
  );
}
