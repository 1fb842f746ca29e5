import type { Host, LimitRow, Measurement, PresetRow, Settings, ToolsMeasurement } from './host.js';
/** The component's exports, as the transpiler spells them. */
export interface Exports {
    fitting: {
        fit(json: string, call: WireCall, settings: Wire): Variant;
        measure(json: string, settings: Wire): Measurement;
        failureResult(failure: Variant, kind: string, settings: Wire): string;
    };
    listing: {
        measureTools(json: string, settings: Wire): ToolsMeasurement;
        prepareTools(json: string, settings: Wire): string | undefined;
    };
    settling: {
        settle(policyJson: string, request: Record<string, string | undefined>): WireSettled;
        limitRows(): LimitRow[];
        presetRows(): PresetRow[];
    };
}
/** A component that was transpiled. */
export interface Source {
    instantiate(module: () => WebAssembly.Module, imports: object, core: (module: WebAssembly.Module, imports: object) => WebAssembly.Instance): Exports;
    module: WebAssembly.Module;
    sha256: string;
}
interface Variant {
    tag: string;
    val?: unknown;
}
/** What is known of a call, as it crosses. */
interface WireCall {
    kind: string;
    outputSchema: Variant;
    previousReport: string | undefined;
}
/** Settings as they cross; passed back as they came. */
type Wire = Omit<Settings, 'limits' | 'preset' | 'presetChosenBy'> & {
    limits: Record<string, number | undefined>;
};
interface WireSettled {
    settings: Wire;
    preset: string;
    chosenBy: string;
}
/** A host that runs `source`. */
export declare function componentHost(source: Source): Host;
export {};
