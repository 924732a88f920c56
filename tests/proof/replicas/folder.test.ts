// Thirty kills of a server on a folder.
import { testKills } from '../../replicas/killed-on-folder.js';

testKills(30);
