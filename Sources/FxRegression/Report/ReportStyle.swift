/// How reports look.
enum ReportStyle {
  static let sheet = """
    :root{--ground:#fbfbfa;--lane:#f1f1ee;--ink:#1d1f23;--soft:#5b606b;--line:#d6d7d2;--then:#2f6690;\
    --now:#b4531a;--diff:#7a3b8f;--first:#b00020;--peak:#5b606b;--same:#e8ece4;--mark:#fbe3d3}
    @media (prefers-color-scheme:dark){:root{--ground:#16181c;--lane:#1f2227;--ink:#e8e9eb;\
    --soft:#a4a9b3;--line:#3a3e46;--then:#7fb4e0;--now:#f0a066;--diff:#cd9be0;--first:#ff7a86;\
    --peak:#a4a9b3;--same:#23282a;--mark:#4a2f1d}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);\
    font:16px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
    main{max-width:980px;margin:0 auto;padding:28px 20px 60px}
    header{border-bottom:1px solid var(--line);padding-bottom:18px;margin-bottom:8px}
    .kind{margin:0;color:var(--soft);font-size:14px}
    h1{font-size:26px;line-height:1.25;margin:2px 0 12px;overflow-wrap:anywhere}
    h2{font-size:20px;margin:34px 0 12px}h3{font-size:16px;margin:26px 0 8px}
    em{font-style:normal;font-family:ui-monospace,"DejaVu Sans Mono",monospace}
    .verdict{font-size:18px;margin:0 0 8px;overflow-wrap:anywhere}
    .more{margin:8px 0;padding-left:20px}.more li{margin:3px 0;overflow-wrap:anywhere}
    .scroll{overflow-x:auto;margin:12px 0}
    table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;min-width:60%}
    th,td{text-align:left;padding:5px 16px 5px 0;border-bottom:1px solid var(--line);\
    vertical-align:top;font-weight:400}
    thead th{color:var(--soft)}tbody th{font-weight:600}
    .number{text-align:right;white-space:nowrap}.unit{color:var(--soft);overflow-wrap:anywhere}
    tr.begins td,tr.begins th,tr.new td,tr.new th,tr.gone td,tr.gone th{background:var(--mark)}
    tr.begins th:first-child,tr.new th:first-child,tr.gone th:first-child{padding-left:8px}
    svg{display:block;width:100%;height:auto;overflow:visible}
    svg text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:var(--ink)}
    svg .scale{fill:var(--soft);font-size:11.5px;font-variant-numeric:tabular-nums}
    .wave,.zoom,.bands{margin:10px 0}
    .lane{fill:var(--lane)}.zero{stroke:var(--line);stroke-width:1}.tick{stroke:var(--soft)}
    path.then,span.then{fill:var(--then);background:var(--then)}
    path.now,rect.now,circle.now,span.now{fill:var(--now);background:var(--now)}
    path.diff,span.diff{fill:var(--diff);background:var(--diff)}
    .thenline{fill:none;stroke:var(--then);stroke-width:1.6}
    .thenmark{stroke:var(--then);stroke-width:2.4}
    .marker{stroke-width:1.4}.marker.first{stroke:var(--first)}
    .marker.peak{stroke:var(--peak);stroke-dasharray:3 3}
    .key{color:var(--soft);font-size:14px;margin:14px 0 0}
    .key span{display:inline-block;width:14px;height:10px;border-radius:2px;margin:0 6px 0 14px}
    .key span:first-child{margin-left:0}
    span.first{background:var(--first);width:3px!important}
    span.peak{background:repeating-linear-gradient(var(--peak) 0 3px,transparent 3px 5px);\
    width:3px!important}
    .spectra{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;margin:14px 0 0}
    figure{margin:0;min-width:0}figcaption{color:var(--soft);font-size:14px;margin:0 0 4px 42px}
    .legend{color:var(--soft);font-size:13px;margin:4px 0 14px}
    .legend img{vertical-align:middle;margin:0 6px;border-radius:2px;max-width:50%}
    .graph .edge{fill:none;stroke:var(--soft);stroke-width:1.3}
    .graph .back{stroke-dasharray:4 3}
    .node rect{fill:var(--lane);stroke:var(--line)}
    .node.differs rect{stroke:var(--now);stroke-width:1.4}
    .node.begins rect,.node.new rect,.node.gone rect{fill:var(--mark);stroke:var(--now);\
    stroke-width:2.6}
    .node.gone rect,.node.unsteady rect{stroke-dasharray:5 3}
    .node .id{font-weight:600}.node .what{fill:var(--soft);font-size:11px}
    @media (max-width:640px){.spectra{grid-template-columns:1fr}h1{font-size:22px}\
    main{padding:18px 14px 40px}}
    @media print{body{background:#fff}section{break-inside:avoid}}
    """
}
