/** What the pages find in a browser and tsc's own library does not know. */

interface Window {
    readonly trustedTypes?: {
        createPolicy(name: string, rules: object): unknown;
    };
}

/** The part of dygraphs 2.2 that the charts use. Data are rows: the time in ms, then the values. */
declare class Dygraph {
    constructor(node: HTMLElement, data: ReadonlyArray<ReadonlyArray<unknown>>, options?: Record<string, unknown>);
    updateOptions(options: Record<string, unknown>, blockRedraw?: boolean): void;
    setAnnotations(annotations: ReadonlyArray<Record<string, unknown>>, suppressDraw?: boolean): void;
    setSelection(row: number | false, series?: string, locked?: boolean): void;
    clearSelection(): void;
    getSelection(): number;
    getValue(row: number, column: number): number | null;
    numRows(): number;
    xAxisRange(): [number, number];
    xAxisExtremes(): [number, number];
    yAxisRange(axis?: number): [number, number];
    toDomCoords(x: number | null, y: number | null, axis?: number): [number, number];
    toDomXCoord(x: number): number;
    toDomYCoord(y: number, axis?: number): number;
    toDataXCoord(x: number): number;
    eventToDomCoords(event: Event): [number, number];
    getArea(): { x: number; y: number; w: number; h: number };
    isZoomed(axis?: "x" | "y"): boolean;
    resetZoom(): void;
    resize(width?: number, height?: number): void;
    ready(callback: (graph: Dygraph) => void): void;
    destroy(): void;
    static defaultInteractionModel: Record<string, (event: Event, graph: Dygraph, context: object) => void>;
    static [member: string]: unknown;
}
