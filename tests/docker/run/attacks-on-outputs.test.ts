import { holdAttacks } from '../../attacks/hold-attacks.ts';

holdAttacks('agents that attack a verifier which gets their declared outputs', 'outputs');
