// Written sandboxes are read back the same; tests/proof/engine has more histories.
import { testCodec } from './sandbox-codec.js';

testCodec(25);
