// Text files as tools write them: UTF-8 and UTF-16 with a byte order mark are read, other encodings are named.
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';

const scenario = 'title: Grüße\nsteps: []\n';
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const readable: Record<string, (text: string) => Buffer> = {
  'UTF-8': text => Buffer.from(text),
  'UTF-8 with a mark': text => Buffer.from(`\uFEFF${text}`),
  'UTF-16 LE with a mark, as PowerShell writes': text => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 BE with a mark': text => swapped(`\uFEFF${text}`),
};
const unreadable: Record<string, [bytes: Buffer, says: string]> = {
  'UTF-32 LE': [Buffer.from([0xff, 0xfe, 0, 0, 0x74, 0, 0, 0]), 'The file is UTF-32.'],
  'UTF-32 BE': [Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x74]), 'The file is UTF-32.'],
  'UTF-16 LE without a mark': [Buffer.from(scenario, 'utf16le'), 'The file is UTF-16 without a byte order mark'],
  'UTF-16 BE without a mark': [swapped(scenario), 'The file is UTF-16 without a byte order mark'],
  'Windows-1252': [Buffer.from(scenario, 'latin1'), 'probably Windows-1252 or Latin-1'],
  'cut UTF-16': [Buffer.from([0xff, 0xfe, 0x74, 0, 0x00]), 'The file is not valid UTF-16LE.'],
};
const pact = JSON.stringify({
  consumer: { name: 'web' },
  provider: { name: 'wiki-extension' },
  interactions: [
    {
      description: 'adds Alice',
      request: {
        method: 'POST',
        path: '/rest/cwxapiextension/latest/groups/add-users',
        headers: { 'Content-Type': 'application/json' },
        body: { group: 'customers', users: ['alice'] },
      },
      response: { status: 200 },
    },
  ],
  metadata: { pactSpecification: { version: '2.0.0' } },
});

describe('the encoding of a text file', () => {
  const files = useScratch();

  for (const [what, encode] of Object.entries(readable)) {
    it(`may be ${what}: scenarios, readings, pacts and bodies`, async () => {
      files.write('mine.yaml', encode(scenario));
      files.write('readings.yaml', encode('unknown-user: "400"\n'));
      files.write('pact.json', encode(pact));
      const { code, stdout } = await run(['check', 'mine.yaml'], { cwd: files.path });
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '1 file checked, no problems\n' });
      expect((await run(['openapi', '--readings', 'readings.yaml'], { cwd: files.path })).code).to.equal(0);
      const verified = await run(['verify', 'pact.json'], { cwd: files.path });
      expect(verified).to.include({ code: 0, stderr: '' });
    });
  }

  it('is named with the fix if it is another', async () => {
    for (const [what, [bytes, says]] of Object.entries(unreadable)) {
      files.write('mine.yaml', bytes);
      const { code, stdout } = await run(['check', 'mine.yaml'], { cwd: files.path });
      expect(code, what).to.equal(2);
      expect(stdout).to.contain(says).and.to.contain('Save it as UTF-8');
    }
  });
});
