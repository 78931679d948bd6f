import { Center, Loader } from '@mantine/core';

/** While it is not known yet who is here. */
export function Starting() {
  return (
    <Center component="main" mih="100vh" aria-busy="true">
      <Loader type="dots" aria-label="Loading" />
    </Center>
  );
}
