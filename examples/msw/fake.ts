// Responds to every request for the real server's address from a sandbox.
import { createFake } from 'cwx-fake';
import { http } from 'msw';
import { setupServer } from 'msw/node';

const fake = await createFake({ baseUrl: 'https://wiki.example.com' });
export const sandbox = fake.sandbox();
export const server = setupServer(http.all('https://wiki.example.com/*', ({ request }) => sandbox.fetch(request)));
