/// The style of a report. Blue and orange are distinguishable with any colour vision, and fill and
/// outline differ too.
enum ReportStyle {
  private static let dark = """
    \(Palette.dark.variables)--expected-fill:#2c5e92;--actual-fill:#3d2c1a;--on-actual:#14171c;--shadow:#7d8ca0;
    """

  static let css = """

    :root{color-scheme:light dark;\(Palette.light.variables)--expected-fill:#a9cdf0;\
    --actual-fill:#fdeee3;--on-actual:#fff;--shadow:#8b98a8}
    @media (prefers-color-scheme:dark){:root{\(dark)}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--ink);\
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
    main{max-width:1180px;margin:0 auto;padding:2rem 1.5rem 4rem}
    h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem;overflow-wrap:anywhere}
    h2{font-size:1.2rem;margin:2.75rem 0 .75rem;padding-bottom:.35rem;\
    border-bottom:1px solid var(--rule);overflow-wrap:anywhere}
    h3{font-size:1.02rem;margin:2rem 0 .5rem}
    p,ul{margin:.5rem 0}ul{padding-left:1.2rem}li{margin:.2rem 0;overflow-wrap:anywhere}
    .kind,.quiet,.legend,.scale,figcaption{color:var(--quiet)}
    .kind{margin:0;font-size:.85rem}
    .verdict{margin:0;padding:.7rem 1rem;background:var(--panel);border-radius:6px;\
    border-left:5px solid var(--quiet);overflow-wrap:anywhere}
    .verdict strong{margin-right:.4rem}
    .verdict.differs,.verdict.failed{border-color:var(--actual)}
    .verdict.differs strong,.verdict.failed strong{color:var(--actual)}
    .verdict.same,.verdict.within{border-color:var(--good)}
    .verdict.same strong,.verdict.within strong{color:var(--good)}
    pre{margin:0;font-size:.85rem}
    .files{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem}a{color:var(--expected);overflow-wrap:anywhere}
    .scroll{overflow-x:auto;margin:.75rem 0 1.25rem;scrollbar-width:thin;\
    scrollbar-color:var(--quiet) transparent;background:\
    linear-gradient(90deg,var(--page) 40%,transparent) 0 0/3rem 100% local,\
    linear-gradient(270deg,var(--page) 40%,transparent) 100% 0/3rem 100% local,\
    linear-gradient(90deg,var(--shadow),transparent) 0 0/1.1rem 100% scroll,\
    linear-gradient(270deg,var(--shadow),transparent) 100% 0/1.1rem 100% scroll;\
    background-repeat:no-repeat;background-color:var(--page)}
    table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums;width:100%}
    table.shape{width:auto}
    th,td{padding:.35rem .75rem;text-align:left;vertical-align:top;\
    border-bottom:1px solid var(--rule)}
    th:first-child,td:first-child{padding-left:0}
    thead th,thead td{color:var(--quiet);font-weight:500;vertical-align:bottom}
    tbody th{font-weight:600}
    .figure{text-align:right;white-space:nowrap}thead .figure{white-space:normal}
    .unit{overflow-wrap:anywhere;min-width:8rem}
    td .state{white-space:nowrap}
    tr.begins td .state{background:var(--actual);color:var(--on-actual);font-weight:600;\
    padding:.1rem .45rem;border-radius:4px;margin-left:-.45rem}
    tr.differs .state,tr.gone .state,tr.new .state{color:var(--actual);font-weight:600}
    .players{display:grid;gap:.75rem 1.75rem;margin:1rem 0 .5rem;\
    grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr))}
    .player{margin:0;min-width:0;overflow-wrap:anywhere}
    audio{display:block;width:100%;height:2.6rem}
    figure.plot{margin:0 0 1.25rem}
    figcaption{font-size:.85rem;margin:0 0 .1rem;min-height:1.3rem}
    figcaption b{color:var(--ink);font-weight:600;margin-right:.5rem}
    .frame{display:grid;grid-template-columns:3.6rem minmax(0,1fr);\
    grid-template-rows:.8rem auto 2.3rem;container-type:inline-size}
    .marks{grid-column:2;position:relative}
    .y{grid-column:1;grid-row:2;position:relative}
    .area{grid-column:2;grid-row:2;position:relative;height:10rem;background:var(--panel);\
    border:1px solid var(--rule);overflow:hidden}
    .x{grid-column:2;grid-row:3;position:relative}
    .low .area{height:6.5rem}.middle .area{height:11rem}.picture .area{height:12rem}
    .picture{grid-template-rows:0 auto 2.3rem}
    .area svg,.area img{display:block;width:100%;height:100%}
    .area svg *{vector-effect:non-scaling-stroke}
    .tick{position:absolute;font-size:.72rem;line-height:1.15;color:var(--quiet);\
    white-space:nowrap;font-variant-numeric:tabular-nums;text-align:center}
    .tick small{display:block;font-size:.94em}
    .x .tick{top:.3rem;transform:translateX(-50%)}
    .x .start{transform:none;text-align:left}
    .x .end{transform:translateX(-100%);text-align:right}
    .y .tick{right:.45rem;transform:translateY(-50%)}
    .y .start{transform:translateY(-15%)}.y .end{transform:translateY(-85%)}
    @container (max-width:34rem){.x .minor{display:none}}
    .grid{fill:none;stroke:var(--grid);stroke-width:1}
    .plot path{stroke-linecap:round}
    path.expected{fill:var(--expected-fill);stroke:var(--expected-fill);stroke-width:1}
    path.actual{fill:none;stroke:var(--actual);stroke-width:1}
    path.difference{fill:var(--difference);stroke:var(--difference);stroke-width:1}
    path.line{fill:none;stroke-width:1}path.line.expected{stroke:var(--expected)}
    path.line.difference{fill:none;stroke:var(--difference);stroke-width:1.5}
    path.dots{fill:none;stroke-linecap:round;stroke-width:4.5}
    path.dots.expected{stroke:var(--expected)}
    path.dots.actual,.plot path.dots.actual{stroke-linecap:square;stroke-width:2.5}
    path.bars{stroke:none}path.bars.expected{fill:var(--expected)}
    path.bars.actual{fill:var(--actual-fill);stroke:var(--actual);stroke-width:1.5}
    path.bars.difference{fill:var(--difference)}
    .marks span{position:absolute;bottom:1px;width:9px;height:8px;margin-left:-4.5px;\
    background:var(--ink)}
    .marks .first,.sign.first{clip-path:polygon(0 0,100% 0,50% 100%)}
    .marks .peak,.sign.peak{clip-path:polygon(50% 0,100% 50%,50% 100%,0 50%)}
    .area i{position:absolute;top:0;bottom:0;width:0;border-left:1px dashed var(--ink)}
    .area i.peak{border-left-style:dotted}
    .legend{display:flex;flex-wrap:wrap;gap:.1rem 1.5rem;font-size:.8rem;margin:-.1rem 0 1rem 3.6rem;\
    font-variant-numeric:tabular-nums}
    .sign{display:inline-block;width:9px;height:8px;margin-right:.4rem;background:var(--ink)}
    .key{display:inline-block;width:1.1rem;height:.65rem;margin:0 .35rem 0 .5rem}
    .key.expected{background:var(--expected-fill)}
    .key.actual{border:1.5px solid var(--actual)}
    .key.difference{background:var(--difference)}
    .key.bar{width:.65rem}.key.bar.expected{background:var(--expected)}
    .key.bar.actual{background:var(--actual-fill)}
    .key.dot{width:8px;height:8px;border-radius:50%;background:var(--expected)}
    .key.square{width:6px;height:6px;background:var(--actual);margin-bottom:1px}
    .row{display:grid;gap:0 1.75rem}.row>*{min-width:0}
    .row{grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr))}
    .scale{display:flex;align-items:center;gap:.5rem;margin:0 0 0 3.6rem;font-size:.72rem;\
    font-variant-numeric:tabular-nums;white-space:nowrap}
    .ramp{flex:1;height:.5rem;border-radius:2px;background:\(ColorRamp.gradient)}
    svg.graph{display:block}
    .graph text{font-size:11px;fill:var(--quiet)}
    .graph .name{font-size:13px;font-weight:600;fill:var(--ink)}
    .graph .state{fill:var(--ink)}
    .graph rect{fill:var(--panel);stroke:var(--quiet);stroke-width:1}
    .graph .edge{fill:none;stroke:var(--quiet);stroke-width:1.25}
    .graph .loop{stroke-dasharray:5 4}
    .graph marker path{fill:var(--quiet)}
    .graph .differs rect{fill:var(--actual-fill);stroke:var(--actual);stroke-width:1.5}
    .graph .begins rect{fill:var(--actual);stroke:var(--actual)}
    .graph .begins text{fill:var(--on-actual)}.graph .begins .state{font-weight:600}
    .graph .unsteady rect{stroke-dasharray:7 4;stroke:var(--ink)}
    .graph .gone rect{stroke-dasharray:2 3;stroke:var(--actual);stroke-width:1.5}
    .graph .new rect{stroke:var(--actual);stroke-width:2.5}
    @media (max-width:600px){main{padding:1.25rem 1rem 3rem}h1{font-size:1.4rem}\
    .frame{grid-template-columns:3.1rem minmax(0,1fr)}.legend,.scale{margin-left:3.1rem}}
    @media print{.players{display:none}main{max-width:none;padding:0}.scroll{overflow:visible}\
    svg.graph{max-width:100%;height:auto}figure,tr,.row{break-inside:avoid}\
    h2,h3{break-after:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
}
