// Written sandboxes are read back the same, after many random histories.
import { testCodec } from '../../../engine/codec/sandbox-codec.js';

testCodec(300);
