import { memories } from '../../nodes/Supercast/execution/syncMemory';
import { Recent } from '../../nodes/Supercast/api/register/recent';

type Known = Recent<unknown>;

/** n8n processes that a test lets take turns. Each one knows only what it has done itself. */
export class Processes {
	private readonly known = new Map<string, Known>();

	/** Makes this process the one that runs, from now on. */
	use(name: string): void {
		const known = this.known.get(name) ?? new Recent<unknown>();
		this.known.set(name, known);
		Reflect.set(memories, 'here', known);
	}
}
